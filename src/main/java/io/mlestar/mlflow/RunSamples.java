package io.mlestar.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.records.RunHeader;
import io.mlestar.task.Json;
import io.mlestar.view.StepFigures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What MLflow is told of a run, made of its records alone: whoever tells it, and however often, tells the same.
final class RunSamples {
    /// MLflow's own limits are larger in its newer versions (6,000 characters; 500 before 2.8).
    private static final int LONGEST_VALUE = 500;
    private static final int LONGEST_KEY = 250;
    private static final double MILLIS = 1000.0;
    /// The metric that every point has.
    static final String COST = "cost_usd";

    /// One value of a metric.
    ///
    /// @param step number of the step that gave it, in the order in which answers and scripts ended, from 0
    record Sample(String key, double value, Instant at, int step) {}

    private RunSamples() {}

    /// Task and settings, flattened: `phase_time_budget.phase1`.
    static Map<String, String> parameters(RunHeader run) {
        Map<String, String> all = new LinkedHashMap<>();
        JsonNode task = Json.tree(run.task());
        for (String field : List.of("competition_id", "task_type", "data_modality", "evaluation_metric", "metric_direction", "data_dir")) {
            flatten(field, task.path(field), all);
        }
        Json.tree(run.config()).properties().forEach(field -> flatten(field.getKey(), field.getValue(), all));
        return all;
    }

    private static void flatten(String key, JsonNode value, Map<String, String> all) {
        if (value.isObject()) {
            value.properties().forEach(field -> flatten(key + "." + field.getKey(), field.getValue(), all));
        } else if (!value.isNull()) {
            all.put(cut(key.replaceAll("[^A-Za-z0-9_. /-]", "_"), LONGEST_KEY), cut(value.isValueNode() ? value.asText() : value.toString(), LONGEST_VALUE));
        }
    }

    static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    /// Score, best score, cost and time after each answer and each script that had ended until `settled`.
    ///
    /// @param settled what ended before is on record, and nothing will come before it any more
    static List<Sample> points(RunHeader run, List<StepFigures> steps, Instant settled) {
        List<StepFigures> ended = steps.stream().filter(step -> !step.kind().equals("phase") && step.endedAt() != null && !step.endedAt().isAfter(settled))
                .sorted(Comparator.comparing((StepFigures step) -> Objects.requireNonNull(step.endedAt())).thenComparing(StepFigures::path)).toList();
        List<Sample> points = new ArrayList<>();
        double cost = 0;
        @Nullable
        Double best = null;
        for (int number : IntStream.range(0, ended.size()).toArray()) {
            StepFigures step = ended.get(number);
            Instant at = Objects.requireNonNull(step.endedAt());
            cost += Objects.requireNonNullElse(step.costUsd(), 0.0);
            points.add(new Sample("seconds", Duration.between(run.startedAt(), at).toMillis() / MILLIS, at, number));
            Double score = step.score();
            if (score != null) {
                double top = best == null || run.task().metricDirection().isImprovement(score, best) ? score : best;
                best = top;
                points.add(new Sample("score", score, at, number));
                points.add(new Sample("best_score", top, at, number));
            }
            // Last: where it is, all of its step is.
            points.add(new Sample(COST, cost, at, number));
        }
        return points;
    }
}

package io.mlestar.show.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Phase;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.Formats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is compared of a run with others.
///
/// @param baseline score of the best single model; null before one has a score
/// @param seconds wall clock
/// @param agentCalls answers that it paid for itself
/// @param scripts that it ran itself
/// @param best every new best score, when and at what cost it was there
/// @param settings with which it was started, by name
public record ComparedRun(RunFigures figures, String metric, MetricDirection direction, @Nullable Double baseline, double seconds, int agentCalls,
        int scripts, List<NewBest> best, Map<String, String> settings) {
    private static final int LONGEST = 120;

    /// @param costUsd that was spent until then, as far as prices are known
    public record NewBest(double seconds, double costUsd, double score) {}

    /// Goes through all steps of the run.
    public static ComparedRun of(Records records, RunHeader run, Instant now) {
        Gathering gathering = new Gathering(run);
        LiveRun live = LiveRun.read(records, run, gathering::add);
        RunFigures figures = live.figures();
        MetricDirection direction = run.task().metricDirection();
        return new ComparedRun(figures, run.task().evaluationMetric(), direction,
                direction.best(gathering.candidates, score -> score).orElse(null), figures.elapsedSeconds(now), gathering.calls, gathering.scripts,
                gathering.best(direction), settings(run));
    }

    private static Map<String, String> settings(RunHeader run) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("task", run.task().competitionId());
        settings.put("description", Formats.line(run.task().description(), LONGEST));
        settings.put("data", run.task().dataDir());
        settings.put("version", run.version());
        settings.put("prompts", Formats.clip(run.promptsDigest(), 16));
        settings.put("hardware", run.hardware());
        Json.tree(run.config()).properties().forEach(setting -> settings.put(setting.getKey(), words(setting.getValue())));
        return settings;
    }

    private static String words(JsonNode value) {
        return value.isNull() ? "–" : Formats.line(value.isValueNode() ? value.asText() : value.toString(), LONGEST);
    }

    public String scoreWords() {
        return figures.scoreWords();
    }

    public String gainWords() {
        Double score = figures.bestScoreSoFar();
        return score == null || baseline == null ? "–" : Formats.gain(score - baseline);
    }

    public String timeWords() {
        return Formats.duration(seconds);
    }

    private static final class Gathering {
        /// @param score null if it is none that counts
        private record Happened(Instant at, double costUsd, @Nullable Double score) {}

        private final RunHeader run;
        private final List<Happened> happened = new ArrayList<>();
        private final List<Double> candidates = new ArrayList<>();
        private int calls;
        private int scripts;

        Gathering(RunHeader run) {
            this.run = run;
        }

        void add(StepView step) {
            if (step.step() instanceof Candidate && step.score() != null) {
                candidates.add(step.score());
            }
            step.result().filter(ended -> step.step() instanceof Evaluation).map(StepResult::scorings).ifPresent(told -> told.forEach(
                    one -> happened.add(new Happened(one.endedAt(), 0, one.score()))));
            if (step.result().isEmpty() || step.step() instanceof Phase<?>) {
                return;
            }
            boolean own = step.isOwn(run.runId());
            calls += own && step.step() instanceof Agent<?> ? 1 : 0;
            scripts += own && step.found() instanceof StepView.Executed ? 1 : 0;
            Double cost = own ? step.result().get().costUsd() : Double.valueOf(0);
            happened.add(new Happened(step.result().get().endedAt(), cost == null ? 0 : cost, null));
        }

        List<NewBest> best(MetricDirection direction) {
            List<NewBest> best = new ArrayList<>();
            double spent = 0;
            for (Happened one : happened.stream().sorted(Comparator.comparing(Happened::at)).toList()) {
                spent += one.costUsd();
                if (one.score() != null && Double.isFinite(one.score()) && (best.isEmpty() || direction.isImprovement(one.score(), best.getLast().score()))) {
                    best.add(new NewBest(Formats.seconds(run.startedAt(), one.at()), spent, one.score()));
                }
            }
            return best;
        }
    }
}

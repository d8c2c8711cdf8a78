package io.mlestar.show.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Phase;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.show.render.Formats;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One of the runs of a [Comparison].
///
/// @param bestModel score of the best single model, with which the run began; null before Phase 1
///   has ended
/// @param seconds wall clock
/// @param agentCalls answers that it paid for itself
/// @param scripts that it ran itself
/// @param best every new best score, when and at what cost it was there
/// @param settings with which it was started, by name
@RegisterForReflection
public record ComparedRun(
        RunFigures figures,
        String metric,
        MetricDirection direction,
        @Nullable Double bestModel,
        double seconds,
        int agentCalls,
        int scripts,
        List<NewBest> best,
        Map<String, String> settings) {
    private static final int LONGEST = 120;

    /// @param costUsd that was spent until then, as far as prices are known
    public record NewBest(double seconds, double costUsd, double score) {}

    /// Goes through all steps of the run.
    public static ComparedRun of(Records records, RunHeader run, Instant now) {
        Work work = new Work(run);
        LiveRun live = LiveRun.read(records, run, work::add);
        RunFigures figures = live.figures();
        return new ComparedRun(figures, run.task().evaluationMetric(), run.task().metricDirection(),
                work.bestModel, figures.elapsedSeconds(now), work.calls, work.scripts,
                work.best(live.evaluations()), settings(run));
    }

    private static Map<String, String> settings(RunHeader run) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("task", run.task().competitionId());
        settings.put("description", Formats.line(run.task().description(), LONGEST));
        settings.put("data", run.task().dataDir());
        settings.put("version", run.version());
        settings.put("prompts", Excerpt.clip(run.promptsDigest(), 16));
        settings.put("hardware", run.hardware());
        Json.tree(run.config())
                .properties()
                .forEach(setting -> settings.put(setting.getKey(), words(setting.getValue())));
        return settings;
    }

    private static String words(JsonNode value) {
        return value.isNull()
                ? "–"
                : Formats.line(value.isValueNode() ? value.asText() : value.toString(), LONGEST);
    }

    public String scoreWords() {
        return figures.scoreWords();
    }

    public String gainWords() {
        Double score = figures.bestScoreSoFar();
        return score == null || bestModel == null
                ? "–"
                : Formats.gain(direction.gain(score, bestModel));
    }

    public String timeWords() {
        return Formats.duration(seconds);
    }

    /// Counts what the run did itself, and finds the best single model, which another run may have
    /// found for it.
    private static final class Work {
        private final RunHeader run;
        private final MetricDirection direction;
        private final NavigableMap<Instant, Double> paid = new TreeMap<>();
        private @Nullable Double bestModel;
        private int calls;
        private int scripts;

        Work(RunHeader run) {
            this.run = run;
            this.direction = run.task().metricDirection();
        }

        void add(StepView step) {
            if (step.found() instanceof StepView.Returned<?>(var phase, Phase1Result result)) {
                bestModel = result.ranked().getFirst().score().value();
            }
            if (step.isOwn(run.runId()) && !(step.step() instanceof Phase<?>)) {
                step.result()
                        .ifPresent(result -> paid.merge(result.endedAt(),
                                Objects.requireNonNullElse(result.costUsd(), 0.0), Double::sum));
                calls += step.step() instanceof Agent<?> && step.result().isPresent() ? 1 : 0;
                scripts += step.found() instanceof StepView.Executed ? 1 : 0;
            }
        }

        List<NewBest> best(Collection<Scoring> evaluations) {
            List<NewBest> best = new ArrayList<>();
            evaluations.stream().sorted(Comparator.comparing(Scoring::endedAt)).forEach(one -> {
                Double score = one.score();
                if (score != null && Double.isFinite(score)
                        && (best.isEmpty()
                                || direction.isImprovement(score, best.getLast().score()))) {
                    double spent =
                            paid.headMap(one.endedAt(), true)
                                    .values()
                                    .stream()
                                    .mapToDouble(Double::doubleValue)
                                    .sum();
                    best.add(new NewBest(Formats.seconds(run.startedAt(), one.endedAt()), spent,
                            score));
                }
            });
            return best;
        }
    }
}

package io.mlestar.report;

import io.mlestar.run.Records;
import io.mlestar.run.RunHeader;
import io.mlestar.run.Scored;
import io.mlestar.run.StepResult.Status;
import io.mlestar.step.StepPath;
import io.mlestar.task.MetricDirection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where a run stands (REQ-OR-050), read from the store.
///
/// @param status `running`, `halted` (other prompts than it began with), `completed` or `failed`
/// @param currentPhase `phase1`, `phase2`, `phase3`, `finalization` or `complete`
/// @param phase2PathStatuses per path `running`, `completed`, `failed` or `cancelled`: stopped before its last step
/// @param bestScoreSoFar null before the first score
/// @param agentCallCount answered questions
/// @param underWay paths of the steps that are being done or waited for
public record RunState(String runId, String competitionId, String model, String status, String currentPhase, double elapsedSeconds,
        double accumulatedCostUsd, List<String> phase2PathStatuses, Double bestScoreSoFar, int agentCallCount, int scriptCount,
        boolean cancelled, Instant startedAt, Instant deadline, List<String> underWay, String error) {
    public static RunState of(Records records, RunHeader header, Instant now) {
        StepPath root = StepPath.root(header.runId());
        Counting counting = new Counting(records, header.task().metricDirection());
        counting.walk(root);
        var ended = records.result(root);
        List<Records.Known> phases = records.below(root);
        Optional<String> halted = ended.isPresent() ? Optional.empty() : records.halted(header.runId());
        String status = ended.map(result -> result.status() == Status.DONE ? "completed" : "failed")
                .orElse(halted.isPresent() ? "halted" : "running");
        return new RunState(header.runId(), header.task().competitionId(), header.config().model(), status,
                status.equals("completed") ? "complete" : current(phases),
                Duration.between(header.startedAt(), ended.map(result -> result.endedAt()).orElse(now)).toMillis() / 1000.0,
                counting.cost, paths(phases, header.config().outerLoopSteps()), counting.best, counting.agents, counting.scripts, records.isCancelled(header.runId()),
                header.startedAt(), header.deadline(), ended.isPresent() ? List.of() : counting.underWay,
                ended.map(result -> result.reason()).or(() -> halted).orElse(null));
    }

    private static String current(List<Records.Known> phases) {
        return phases.isEmpty() ? "phase1" : Course.phase(phases.getLast().path().name());
    }

    private static List<String> paths(List<Records.Known> phases, int outerSteps) {
        return phases.stream().filter(phase -> phase.path().name().startsWith("phase2-"))
                .sorted(java.util.Comparator.comparing(phase -> phase.path().name()))
                .map(phase -> phase.result().map(result -> switch (result.status()) {
                    case DONE -> result.value().path("step_history").size() < outerSteps ? "cancelled" : "completed";
                    case FAILED -> "failed";
                    case STOPPED -> "cancelled";
                }).orElse("running")).toList();
    }

    /// Goes through all steps once.
    private static final class Counting {
        private final Records records;
        private final MetricDirection direction;
        private final List<String> underWay = new ArrayList<>();
        private double cost;
        private Double best;
        private int agents;
        private int scripts;

        Counting(Records records, MetricDirection direction) {
            this.records = records;
            this.direction = direction;
        }

        void walk(StepPath phase) {
            for (Records.Known step : records.below(phase)) {
                if (step.result().filter(result -> result.sharedWith() != null).isPresent()) {
                    better(Scored.of(step.result().get()));
                } else if (step.request().isPhase()) {
                    walk(step.path());
                } else if (step.result().isEmpty()) {
                    underWay.add(step.path().inside());
                } else {
                    count(step);
                }
            }
        }

        private void count(Records.Known step) {
            var result = step.result().orElseThrow();
            cost += Optional.ofNullable(result.costUsd()).orElse(0.0);
            if (result.status() != Status.DONE) {
                return;
            }
            if (!step.request().isScript()) {
                agents++;
                return;
            }
            scripts++;
            if (!step.path().isIn("finalization")) {
                better(Scored.of(result));
            }
        }

        private void better(Double score) {
            if (score != null && (best == null || direction.isImprovement(score, best))) {
                best = score;
            }
        }
    }

    /// A few lines for a terminal.
    public String text() {
        return String.format(Locale.ROOT, """
                run        %s (%s), model %s
                status     %s%s%s
                elapsed    %.1f s
                cost       $%.4f
                best score %s
                steps      %d answers, %d scripts%s
                """, runId, competitionId, model, status, status.equals("running") ? ", in " + currentPhase : "",
                error == null ? "" : ": " + error, elapsedSeconds, accumulatedCostUsd,
                bestScoreSoFar == null ? "none yet" : bestScoreSoFar, agentCallCount, scriptCount,
                underWay.isEmpty() ? "" : "\nunder way  " + String.join("\n           ", underWay)).stripTrailing();
    }
}

package io.mlestar.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.mlestar.engine.Ledger;
import io.mlestar.engine.Records;
import io.mlestar.engine.RunHeader;
import io.mlestar.engine.Scored;
import io.mlestar.engine.StepResult.Status;
import io.mlestar.engine.StepResult;
import io.mlestar.step.StepPath;
import io.mlestar.store.DamagedRecord;
import io.mlestar.view.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Where a run stands (REQ-OR-050), read from the store.
///
/// @param status `running`, `halted` (other prompts than it began with), `completed`, `failed` or `damaged`: a record cannot be read,
/// `error` says which, and nothing else is known
/// @param currentPhase `phase1`, `phase2`, `phase3`, `finalization` or `complete`
/// @param accumulatedCostUsd null if a price is unknown
/// @param cost what is known of it, in words
/// @param phase2PathStatuses per path `running`, `completed`, `failed` or `cancelled`: stopped before its last step
/// @param bestScoreSoFar of the result once there is one, before that the best that stands; null before the first score
/// @param agentCallCount answered questions
/// @param lastSign when a step was asked for or ended last
/// @param underWay paths of the steps that are being done or waited for
public record RunState(String runId, String competitionId, String model, String status, String currentPhase, double elapsedSeconds,
        Double accumulatedCostUsd, @JsonIgnore String cost, List<String> phase2PathStatuses, Double bestScoreSoFar, int agentCallCount,
        int scriptCount, boolean cancelled, Instant startedAt, Instant deadline, @JsonIgnore Instant lastSign, List<String> underWay,
        String error) {
    public static RunState of(Records records, RunHeader header, Instant now) {
        StepPath root = StepPath.root(header.runId());
        Counting counting = new Counting(header);
        Walk.steps(records, root, counting::add);
        Optional<StepResult> ended = records.result(root);
        List<Records.Known> phases = records.below(root);
        Optional<String> halted = ended.isPresent() ? Optional.empty() : records.halted(header.runId());
        String status = ended.map(result -> result.status() == Status.DONE ? "completed" : "failed")
                .orElse(halted.isPresent() ? "halted" : "running");
        double known = new Ledger(records).spent(header.runId());
        Double whole = ended.isPresent() ? ended.get().costUsd() : counting.priced ? Double.valueOf(known) : null;
        return new RunState(header.runId(), header.task().competitionId(), header.config().model(), status,
                status.equals("completed") ? "complete" : current(phases),
                Duration.between(header.startedAt(), ended.map(StepResult::endedAt).orElse(now)).toMillis() / 1000.0,
                whole, Words.dollars(whole == null ? known : whole, whole != null), paths(phases, header.config().outerLoopSteps()),
                ended.map(Scored::of).orElse(counting.best), counting.agents, counting.scripts, records.isCancelled(header.runId()),
                header.startedAt(), header.deadline(), counting.lastSign, ended.isPresent() ? List.of() : counting.underWay,
                ended.map(StepResult::reason).or(() -> halted).orElse(null));
    }

    /// All runs of a store, the latest first. One with a record that cannot be read stands among the others, at the end.
    public static List<RunState> all(Records records, Instant now) {
        return records.runs().stream().flatMap(run -> {
            try {
                return records.header(run).map(header -> of(records, header, now)).stream();
            } catch (DamagedRecord e) {
                return Stream.of(damaged(run, e.getMessage()));
            }
        }).sorted(Comparator.comparing(RunState::startedAt, Comparator.nullsFirst(Comparator.naturalOrder())).reversed()).toList();
    }

    /// What can be said of a run with a record that cannot be read.
    private static RunState damaged(String run, String error) {
        return new RunState(run, null, null, "damaged", null, 0, null, "-", List.of(), null, 0, 0, false, null, null, null, List.of(), error);
    }

    private static String current(List<Records.Known> phases) {
        return phases.isEmpty() ? "phase1" : Course.phase(phases.getLast().path().name());
    }

    private static List<String> paths(List<Records.Known> phases, int outerSteps) {
        return phases.stream().filter(phase -> phase.path().name().startsWith("phase2-"))
                .sorted(Comparator.comparing(phase -> phase.path().name()))
                .map(phase -> phase.result().map(result -> switch (result.status()) {
                    case DONE -> result.value().path("step_history").size() < outerSteps ? "cancelled" : "completed";
                    case FAILED -> "failed";
                    case STOPPED -> "cancelled";
                }).orElse("running")).toList();
    }

    /// Takes in all steps once. What another run did counts for its score only.
    private static final class Counting {
        private final RunHeader run;
        private final List<String> underWay = new ArrayList<>();
        private boolean priced = true;
        private Double best;
        private int agents;
        private int scripts;
        private Instant lastSign;

        Counting(RunHeader run) {
            this.run = run;
            this.lastSign = run.startedAt();
        }

        void add(Records.Known step) {
            boolean ours = step.path().run().equals(run.runId());
            Instant sign = step.result().map(StepResult::endedAt).orElse(step.request().askedAt());
            lastSign = ours && sign.isAfter(lastSign) ? sign : lastSign;
            if (step.result().isEmpty()) {
                if (ours && !step.request().isPhase()) {
                    underWay.add(step.path().inside());
                }
                return;
            }
            StepResult result = step.result().get();
            best = Scored.better(run.task().metricDirection(), best, Scored.standing(step.path(), result));
            if (!ours || step.request().isPhase() || result.sharedWith() != null) {
                return;
            }
            priced &= result.costUsd() != null;
            if (result.status() == Status.DONE) {
                agents += step.request().isAgent() ? 1 : 0;
                scripts += step.request().isScript() ? 1 : 0;
            }
        }
    }

    /// A few lines for a terminal.
    public String text() {
        return String.format(Locale.ROOT, """
                run        %s (%s), model %s
                status     %s%s%s
                elapsed    %.1f s
                cost       %s
                best score %s
                steps      %d answers, %d scripts%s
                """, runId, competitionId, model, status, status.equals("running") ? ", in " + currentPhase : "",
                error == null ? "" : ": " + error, elapsedSeconds, cost,
                bestScoreSoFar == null ? "none yet" : bestScoreSoFar, agentCallCount, scriptCount,
                underWay.isEmpty() ? "" : "\nunder way  " + String.join("\n           ", underWay)).stripTrailing();
    }
}

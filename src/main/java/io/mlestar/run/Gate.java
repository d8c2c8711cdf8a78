package io.mlestar.run;

import io.mlestar.step.Agent;
import io.mlestar.step.Phase;
import io.mlestar.step.Step;
import io.mlestar.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// Decides, just before a step would cost something, whether the run has to finish instead. The decision is stored as the
/// step's result, so that a replay decides alike.
final class Gate {
    static final String FINALIZATION = "finalization";
    static final String CANCELLED = "the run was cancelled";
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final Records records;
    private final Ledger ledger;
    private final Performer performer;

    Gate(Records records, Ledger ledger, Performer performer) {
        this.records = records;
        this.ledger = ledger;
        this.performer = performer;
    }

    /// Why the step must not begin; empty if it may. Finalization goes on in spite of money and wishes, and a little
    /// beyond the deadline (REQ-OR-030).
    Optional<String> refuses(RunHeader run, StepPath path, StepRequest request, Step<?> step, Instant now) {
        if (path.inside().isEmpty()) {
            return Optional.empty();
        }
        if (path.isIn(FINALIZATION)) {
            return now.isAfter(run.deadline().plus(RunHeader.GRACE)) ? Optional.of("the time limit has passed") : Optional.empty();
        }
        if (!now.isBefore(run.deadline())) {
            return Optional.of("the time limit of " + run.config().timeLimitSeconds() + " s has passed");
        }
        Optional<String> tooDear = tooDear(run, step);
        if (tooDear.isPresent()) {
            return tooDear;
        }
        if (records.isCancelled(run.runId())) {
            return Optional.of(CANCELLED);
        }
        if (step instanceof Phase<?> phase && phase.optional()) {
            if (!now.isBefore(run.finalizeAt())) {
                return Optional.of("the rest of the time limit is kept for finalization");
            }
            if (!now.isBefore(request.deadline())) {
                return Optional.of("the phase has used up its share of the time");
            }
        }
        return Optional.empty();
    }

    private Optional<String> tooDear(RunHeader run, Step<?> step) {
        Double budget = run.config().maxBudgetUsd();
        if (budget == null) {
            return Optional.empty();
        }
        double spent = ledger.spent(run.runId());
        if (spent >= budget) {
            return Optional.of(String.format(Locale.ROOT, "the budget of $%.4f is used up: $%.4f spent", budget, spent));
        }
        double estimate = step instanceof Agent<?> agent ? performer.estimate(agent, run.brief()).orElse(0) : 0;
        return spent + estimate <= budget ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "the budget of $%.4f would be passed: $%.4f spent, and this answer may cost $%.4f",
                        budget, spent, estimate));
    }

    /// What is left for a step of this path, at least a second.
    static Duration timeLeft(RunHeader run, StepPath path, StepRequest request, Instant now) {
        Instant end = path.isIn(FINALIZATION) ? run.deadline().plus(RunHeader.GRACE) : request.deadline();
        Duration left = Duration.between(now, end);
        return left.compareTo(LEAST) < 0 ? LEAST : left;
    }

    /// Until when a child of `parent` should be done: a phase has its share of the time that is left, but never less than the
    /// floor, nor more than its parent.
    static Instant deadline(RunHeader run, StepRequest parent, Step<?> step, Instant now) {
        if (!(step instanceof Phase<?> phase) || phase.timeShare(run.brief()) >= 1) {
            return parent.deadline();
        }
        long share = (long) (Duration.between(now, run.deadline()).toMillis() * phase.timeShare(run.brief()));
        Instant end = now.plusMillis(Math.max(share, run.floor().toMillis()));
        return end.isBefore(parent.deadline()) ? end : parent.deadline();
    }
}

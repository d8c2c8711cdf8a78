package io.mlestar.core.engine;

import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Limits;
import io.mlestar.core.records.Measured;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// The law of time, money and wishes. Each step has one deadline; a step whose deadline has passed, or is too near for it to be
/// of use, is not begun, whatever kind of step it is, so that finalization has its reserve. What is decided is stored as the step's
/// result, so that a replay decides alike.
public final class Gate {
    public static final String CANCELLED = "the run was cancelled";
    private static final Duration LONGEST_LEAST = Duration.ofSeconds(5);
    private static final int LEAST_PART = 20;

    private final Ledger ledger;

    Gate(Ledger ledger) {
        this.ledger = ledger;
    }

    /// Why the step must not begin; empty if it may. What is essential goes on in spite of wishes, and a little beyond the deadline (REQ-OR-030). Only
    /// answers cost money: see [#exceedsBudget].
    Optional<String> refusal(Limits limits, RunMarks marks, StepPath path, StepRequest request, Instant now) {
        if (path.inside().isEmpty()) {
            return Optional.empty();
        }
        if (!window(limits, request).isOpen(now)) {
            return Optional.of(deadlineReason(limits, request, now));
        }
        if (marks.isClosed(path)) {
            return Optional.of(StepResult.PHASE_ENDED);
        }
        return marks.isCancelled() && !request.essential() ? Optional.of(CANCELLED) : Optional.empty();
    }

    /// Why a step that has no time any more has none.
    String deadlineReason(Limits limits, StepRequest request, Instant now) {
        if (request.essential() || !now.isBefore(limits.deadline())) {
            return "the time limit of " + limits.time().toSeconds() + " s has passed";
        }
        Instant useful = now.plus(least(limits));
        if (useful.isBefore(limits.finalizeAt()) || useful.isBefore(finalizeAt(limits))) {
            return "the phase has used up its share of the time";
        }
        return useful.isBefore(limits.deadline()) ? "the rest of the time limit is kept for finalization"
                : "too little is left of the time limit of " + limits.time().toSeconds() + " s";
    }

    private Instant finalizeAt(Limits limits) {
        return limits.finalizeAt(ledger.of(StepPath.root(limits.run().runId())).measured());
    }

    /// Why an answer must not be asked for, though its attempt is on record already; empty if it may. What others may be spending
    /// at this moment counts. Says so when four fifths of the money are spent.
    ///
    /// @param allUsd what is spent, or may be by calls under way, this one included
    /// @param mayCostUsd what this one may cost
    /// @param keptUsd what it must leave for finalization
    Optional<String> exceedsBudget(Limits limits, double allUsd, double mayCostUsd, double keptUsd) {
        Double budget = limits.budgetUsd();
        if (budget == null) {
            return Optional.empty();
        }
        double others = allUsd - mayCostUsd;
        double kept = Math.min(keptUsd, budget / 2);
        ledger.warn(limits.run().runId(), others, budget);
        if (others >= budget) {
            return Optional.of(String.format(Locale.ROOT, "the budget of $%.4f is used up: $%.4f spent", budget, others));
        }
        return allUsd + kept <= budget ? Optional.empty() : Optional.of(String.format(Locale.ROOT,
                "the budget of $%.4f would be passed: $%.4f spent or being spent, and this answer may cost $%.4f", budget, others, mayCostUsd)
                + Ledger.alsoKept(kept));
    }

    /// What an answer must leave for finalization: nothing if it is part of it, or if the run would have nothing to finalize without it: then code that
    /// is paid for is checked and mended, and the last chance taken.
    double kept(StepPath path, StepRequest request, Measured measured) {
        boolean needed = !measured.hasScored() && (request.isAskedBy(Evaluation.class) || path.parent()
                .filter(phase -> ledger.records().request(phase).orElseThrow().step(phase.plainName()).ignoresPhaseShare()).isPresent());
        return needed || request.essential() ? 0 : measured.lastUsd();
    }

    /// When a step may begin, and by when it has to end. The last steps may begin until the end: nothing comes after
    /// them that their time could be kept for.
    static Window window(Limits limits, StepRequest request) {
        Instant end = end(limits, request);
        return new Window(request.essential() ? end : end.minus(least(limits)), end);
    }

    /// By when a step has to have ended.
    static Instant end(Limits limits, StepRequest request) {
        return request.essential() ? limits.deadline().plus(Limits.GRACE) : request.deadline().plus(limits.extension());
    }

    /// What an agent may take. Of what is essential half of what is left: none of its calls may use up the time of all the others.
    static Duration agentTime(Limits limits, StepRequest request, Instant now) {
        Duration left = window(limits, request).left(now);
        return request.essential() ? left.dividedBy(2) : left;
    }

    /// The least time in which a step could be of use.
    private static Duration least(Limits limits) {
        Duration part = limits.begunWith().dividedBy(LEAST_PART);
        return part.compareTo(LONGEST_LEAST) < 0 ? part : LONGEST_LEAST;
    }

    /// Until when a child of `parent` has to be done, without what the run was given: that is added again by whoever looks. A phase has its share of the time that is left, but never less than the
    /// floor, nor more than its parent (unless there is no run without it), nor any of what is kept for finalization.
    Instant deadline(Limits limits, StepRequest parent, Step<?> step, Instant now) {
        return end(limits, parent, step, now).minus(limits.extension());
    }

    private Instant end(Limits limits, StepRequest parent, Step<?> step, Instant now) {
        if (parent.makesEssential(step)) {
            return limits.deadline();
        }
        Instant end = step.ignoresPhaseShare() ? Instant.MAX : parent.deadline().plus(limits.extension());
        if (step instanceof Phase<?> phase && phase.timeShare(limits.run().brief()) < 1) {
            long share = (long) (Duration.between(now, limits.deadline()).toMillis() * phase.timeShare(limits.run().brief()));
            end = earlier(end, now.plusMillis(Math.max(share, limits.floor().toMillis())));
        }
        // What was measured is asked for only where it counts.
        return end.isAfter(limits.finalizeAt()) ? earlier(end, finalizeAt(limits)) : end;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}

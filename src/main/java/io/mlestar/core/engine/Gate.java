package io.mlestar.core.engine;

import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Measurements;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// Decides whether a step may begin. Each step has one deadline; a step whose deadline has passed,
/// or is too near for it to be of use, does not begin, whatever kind of step it is, so that
/// finalization has its reserve. The decision is stored as the step's result, so a replay decides
/// alike.
public record Gate(Ledger ledger) {
    public static final String CANCELLED = "the run was cancelled";
    private static final Duration LONGEST_LEAST = Duration.ofSeconds(5);
    private static final int LEAST_PART = 20;

    /// The reason why the step must not begin; empty if it may. A cancelled run still does its
    /// finalization, also a little beyond the deadline (REQ-OR-030). Only answers cost money: see
    /// [#exceedsBudget].
    Optional<String> refusal(
            CurrentLimits limits,
            RunMarks marks,
            StepPath path,
            StepRequest request,
            Instant now) {
        if (path.inside().isEmpty()) {
            return Optional.empty();
        }
        if (!window(limits, request).isOpen(now)) {
            return Optional.of(deadlineReason(limits, request, now));
        }
        if (marks.isClosed(path)) {
            return Optional.of(StepResult.PHASE_ENDED);
        }
        return marks.isCancelled() && !request.essential()
                ? Optional.of(CANCELLED)
                : Optional.empty();
    }

    /// The reason why a step has no time left.
    String deadlineReason(CurrentLimits limits, StepRequest request, Instant now) {
        if (request.essential() || !now.isBefore(limits.deadline())) {
            return "the time limit of " + limits.time().toSeconds() + " s has passed";
        }
        Instant useful = now.plus(least(limits));
        if (useful.isBefore(limits.finalizeAt()) || useful.isBefore(finalizeAt(limits))) {
            return "the phase has used up its share of the time";
        }
        return useful.isBefore(limits.deadline())
                ? "the rest of the time limit is kept for finalization"
                : "too little is left of the time limit of " + limits.time().toSeconds() + " s";
    }

    private Instant finalizeAt(CurrentLimits limits) {
        return limits.finalizeAt(ledger.of(limits.run().root()).measured());
    }

    /// The reason why the model must not be asked, though the attempt is on record already; empty
    /// if it may. Warns when four fifths of the money are spent.
    ///
    /// @param allUsd what is spent, or may be by calls in flight, this one included
    /// @param mayCostUsd what this one may cost
    /// @param keptUsd what it must leave for finalization
    Optional<String> exceedsBudget(
            CurrentLimits limits,
            double allUsd,
            double mayCostUsd,
            double keptUsd) {
        Double budget = limits.budgetUsd();
        if (budget == null) {
            return Optional.empty();
        }
        double others = allUsd - mayCostUsd;
        ledger.warn(limits.run().runId(), others, budget);
        if (others >= budget) {
            return Optional.of(String.format(Locale.ROOT,
                    "the budget of $%.4f is used up: $%.4f spent", budget, others));
        }
        return allUsd + keptUsd <= budget
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT,
                        "the budget of $%.4f would be passed: $%.4f spent or being spent, and this answer may cost $%.4f",
                        budget, others, mayCostUsd)
                        + Ledger.alsoKept(keptUsd));
    }

    /// The money that an answer must leave for finalization. Nothing if the answer is part of
    /// finalization, or finalization asks no agents. Nothing either if without the answer the run
    /// would have nothing to finalize: then the money goes into checking and repairing the code
    /// that there is.
    double kept(RunHeader run, StepPath path, StepRequest request, Measurements measured) {
        boolean isNeeded = !measured.hasScored()
                && (request.isAskedBy(Evaluation.class)
                        || path.parent().filter(this::ignoresPhaseShare).isPresent());
        boolean keepsNothing =
                isNeeded || request.essential()
                        || RunContexts.of(ledger.records(), run).scoresAreTrusted();
        return keepsNothing ? 0 : measured.lastUsd();
    }

    private boolean ignoresPhaseShare(StepPath phase) {
        return ledger.records()
                .request(phase)
                .orElseThrow()
                .step(phase.plainName())
                .ignoresPhaseShare();
    }

    /// The time in which a step may begin and has to end. The steps of finalization may begin until
    /// the end: no time is kept for later ones.
    static Window window(CurrentLimits limits, StepRequest request) {
        Instant end = end(limits, request);
        return new Window(request.essential() ? end : end.minus(least(limits)), end);
    }

    /// The deadline of a step.
    static Instant end(CurrentLimits limits, StepRequest request) {
        return request.essential()
                ? limits.deadline().plus(CurrentLimits.GRACE)
                : request.deadline().plus(limits.extension());
    }

    /// The time that an agent may take. In finalization this is half of what is left: no call may
    /// use up the time of all the others.
    static Duration agentTime(CurrentLimits limits, StepRequest request, Instant now) {
        Duration left = window(limits, request).left(now);
        return request.essential() ? left.dividedBy(2) : left;
    }

    /// The least time in which a step could be of use.
    private static Duration least(CurrentLimits limits) {
        Duration part = limits.begunWith().dividedBy(LEAST_PART);
        return part.compareTo(LONGEST_LEAST) < 0 ? part : LONGEST_LEAST;
    }

    /// The deadline of a step that `parent` asks for, without the extension, which readers add. A
    /// phase has its share of the time that is left, but never less than the floor, nor more than
    /// its parent (unless the run needs it to have a result, or the later phases do not need the
    /// time), nor any of finalization's reserve.
    Instant deadline(CurrentLimits limits, StepRequest parent, Step<?> step, Instant now) {
        return end(limits, parent, step, now).minus(limits.extension());
    }

    private Instant end(CurrentLimits limits, StepRequest parent, Step<?> step, Instant now) {
        if (parent.makesEssential(step)) {
            return limits.deadline();
        }
        Instant end = step.ignoresPhaseShare() ? Instant.MAX : end(limits, parent, now);
        if (step instanceof Phase<?> phase && timeShare(limits, phase) < 1) {
            end = earlier(end, share(limits, phase, now));
        }
        // Measuring reads records, so it is done only where it matters.
        return end.isAfter(limits.finalizeAt()) ? earlier(end, finalizeAt(limits)) : end;
    }

    /// The latest end of a step that `parent` asks for. Once half of its share has passed, a phase
    /// is granted the share anew if the later ones do not need the time. It is granted no more, so
    /// that a script that hangs does not use up all that they could do without.
    private Instant end(CurrentLimits limits, StepRequest parent, Instant now) {
        Instant end = parent.deadline().plus(limits.extension());
        boolean early =
                Duration.between(parent.askedAt(), now).compareTo(Duration.between(now, end)) < 0;
        if (early || !parent.isPhase() || !(parent.step("") instanceof Phase<?> phase)) {
            return end;
        }
        Optional<Load> later = phase.scheduling(limits.run().context()).later();
        if (later.isEmpty()) {
            return end;
        }
        Measurements measured = ledger.of(limits.run().root()).measured();
        Instant spare =
                earlier(share(limits, phase, now),
                        limits.deadline().minus(measured.rest(later.get())));
        return measured.hasScored() && spare.isAfter(end) ? spare : end;
    }

    private static double timeShare(CurrentLimits limits, Phase<?> phase) {
        return phase.scheduling(limits.run().context()).timeShare();
    }

    private static Instant share(CurrentLimits limits, Phase<?> phase, Instant now) {
        long share = (long) (Duration.between(now, limits.deadline()).toMillis()
                * timeShare(limits, phase));
        return now.plusMillis(Math.max(share, limits.floor().toMillis()));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}

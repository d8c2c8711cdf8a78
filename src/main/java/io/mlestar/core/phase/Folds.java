package io.mlestar.core.phase;

import io.mlestar.core.base.Digits;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.CombinedFolds;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The outcome on the other folds of a script that the harness has scored on the first one. Unless
/// it takes too long or has lost already, it is run on them, too; no agent repairs it for that. An
/// ensemble does not lose by one fold: it is the last script, so that little time would be saved,
/// and the best one was chosen by the same few rows.
sealed interface Folds {
    /// It has no other fold: there is none, or it takes too long, or it was stopped and has to take
    /// no one's place.
    record FirstAlone() implements Folds {}

    /// It is surely worse than what it would replace.
    record Lost(String why) implements Folds {}

    /// It failed on another fold.
    record FailedOn(String why) implements Folds {}

    /// It was scored on all.
    record OnAll(CombinedFolds combined) implements Folds {}

    /// @param first its validation on the first fold, on which it took so many seconds
    /// @param timeout of each run
    /// @param rival which it would replace; it has as many folds as that. Null if there is none
    /// @throws StepStopped if the run has to finish and the script would take the rival's place
    static Folds of(
            SolutionScript script,
            Validation first,
            double seconds,
            int timeout,
            @Nullable Rival rival,
            Steps steps) {
        RunContext context = steps.context();
        Holdout holdout = context.facts().holdout();
        int folds = context.facts().folds();
        Validation best = rival == null ? null : rival.score().validation();
        if (holdout == null || folds == 1) {
            return new FirstAlone();
        }
        if (best == null ? !affords(seconds, folds, context) : best.first() == null) {
            return new FirstAlone();
        }
        MetricDirection direction = context.direction();
        if (best != null && script.phase() != SolutionPhase.ENSEMBLE
                && first.isSurelyWorse(best, direction)) {
            return new Lost(PhaseReport.LOST + ", by "
                    + Digits.withError(-first.gain(best, direction), first.errorOfGain(best)));
        }
        List<Validation> each = new ArrayList<>(List.of(first));
        int slots = context.facts().machine().slots();
        // No more at once than the machine has places for: a script that fails on one fold mostly
        // fails on all, each time at the end of its time.
        for (int from = 1; from < folds; from += slots) {
            List<RunScript> beside = IntStream.range(from, Math.min(from + slots, folds))
                    .mapToObj(fold -> new RunScript(script.content(), Kind.SOLUTION, timeout,
                            holdout.digest(), fold, DebugLoop.rows(context), null))
                    .toList();
            List<Outcome<Execution>> outcomes = steps.callAll(beside);
            String stopped = null;
            for (int i = 0; i < beside.size(); i++) {
                String on = "on fold " + beside.get(i).fold() + ": ";
                switch (outcomes.get(i)) {
                    case Outcome.Done<Execution>(Execution ran) -> {
                        Validation validation = validation(ran);
                        if (validation == null) {
                            return new FailedOn(on + ran.reason(Kind.SOLUTION));
                        }
                        each.add(validation);
                    }
                    case Outcome.Failed<Execution>(String reason, boolean _) -> {
                        return new FailedOn(on + reason);
                    }
                    case Outcome.Stopped<Execution>(String reason) -> stopped = reason;
                }
            }
            if (stopped != null) {
                return stopped(stopped, best);
            }
        }
        return combined(each, holdout.digest(), best, steps);
    }

    private static @Nullable Validation validation(Execution ran) {
        return ran.trusted() instanceof Execution.Scored scored
                ? scored.evaluation().score().validation()
                : null;
    }

    private static boolean affords(double seconds, int folds, RunContext context) {
        return !context.config().strong().decidesFolds()
                || Evaluation.affords(seconds, folds, context.facts().machine().slots(),
                        context.config());
    }

    private static Folds combined(
            List<Validation> each,
            String digest,
            @Nullable Validation best,
            Steps steps) {
        return switch (steps.outcome(
                new CombineFolds(each.stream().map(Validation::predictions).toList(), digest))) {
            case Outcome.Done<CombinedFolds>(CombinedFolds combined) ->
                new OnAll(new CombinedFolds(combined.validation().with(each.getFirst()),
                        combined.submission()));
            case Outcome.Failed<CombinedFolds>(String reason, boolean _) ->
                new FailedOn("the predictions of its folds cannot be combined: " + reason);
            case Outcome.Stopped<CombinedFolds>(String reason) -> stopped(reason, best);
        };
    }

    /// A place is taken with all folds only; a script that has none to take is better than none.
    private static Folds stopped(String reason, @Nullable Validation best) {
        if (best != null) {
            throw new StepStopped(reason);
        }
        return new FirstAlone();
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.base.OutputExcerpt;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs a script and lets A_debugger repair it until it runs or the attempts are used up
/// (REQ-EX-021, REQ-SF-006, REQ-SF-007).
public final class DebugLoop {
    static final int ERROR_SHOWN = 200;
    private static final int ROWS_OF_A_STUDY = 4;
    private static final int PRINTED = 1_500;
    private static final String SCORE_LINE =
            "print(f\"Final Validation Performance: {final_validation_score}\")";

    /// The version of the script that counts, the last one as a rule, with what running it showed.
    ///
    /// @param leaks found in any version
    /// @param repairs how often the debugger was asked
    /// @param repaired how often it changed this version, and why, e.g. `1 repair: TimeoutError:
    ///   …`; null if it did not
    record Result(
            SolutionScript script,
            Execution execution,
            List<Leak> leaks,
            int repairs,
            @Nullable String repaired) {
        String stdout() {
            return execution.evaluation().stdout();
        }

        double seconds() {
            return execution.evaluation().durationSeconds();
        }
    }

    /// A version that gave what it should, though its traceback sends it to the debugger
    /// (REQ-EX-013).
    private record DoubtedVersion(
            SolutionScript script,
            Execution.Doubtful execution,
            @Nullable String repaired) {}

    private final RunScript first;
    private final Kind kind;
    private final Steps steps;
    private final List<Leak> leaks = new ArrayList<>();
    private SolutionScript current;
    private @Nullable Execution execution;
    private @Nullable DoubtedVersion doubted;
    private int repairs;
    private int changes;
    private @Nullable String firstError;

    private DebugLoop(SolutionScript script, RunScript first, Steps steps) {
        this.current = script;
        this.first = first;
        this.kind = first.kind();
        this.steps = steps;
    }

    /// Runs `script`. All that are scored pass the leakage check before.
    static Result run(SolutionScript script, Kind kind, int timeoutSeconds, Steps steps) {
        RunContext context = steps.context();
        boolean isLast = kind == Kind.SUBMISSION;
        return run(script, new RunScript(script.content(), kind, timeoutSeconds,
                isLast ? null : context.hiddenRows(), 0, isLast ? null : rows(context), null),
                steps);
    }

    /// Runs a study. It is told of no sample: its folds are of all rows in their order.
    ///
    /// @param best the program that it may import; null before there is one. A study that does not
    ///   is asked for as before there was such a module, also in runs that began then
    static Result study(SolutionScript script, @Nullable SolutionScript best, Steps steps) {
        String code = script.content();
        boolean isImported = code.contains("import best") || code.contains("from best");
        return run(script, new RunScript(code, Kind.STUDY,
                steps.context().config().studyTimeoutSeconds(), steps.context().hiddenRows(), 0,
                null, best != null && isImported ? best.content() : null), steps);
    }

    /// @param first how `script` runs, and whatever takes its place
    static Result run(SolutionScript script, RunScript first, Steps steps) {
        DebugLoop loop = new DebugLoop(script, first, steps);
        loop.checkAndRun(script);
        try {
            loop.repair();
        } catch (StepStopped | StepFailed e) {
            boolean isLast =
                    loop.kind == Kind.SUBMISSION && loop.execution instanceof Execution.Failed;
            if (loop.doubted == null && !isLast) {
                throw e;
            }
        }
        return loop.ran();
    }

    private void checkAndRun(SolutionScript script) {
        if (kind.isScored()) {
            runUnlessKnown(checked(script));
        } else {
            run(script);
        }
    }

    /// A last script that no more answers may be paid for runs unchecked: without it there is no
    /// submission.
    private LeakageCheck checked(SolutionScript script) {
        try {
            return LeakageCheck.of(script, steps);
        } catch (StepStopped e) {
            if (kind == Kind.SUBMISSION) {
                return new LeakageCheck(script, List.of());
            }
            throw e;
        }
    }

    /// Does not run again what has just run, if the corrections lead back to it.
    private void runUnlessKnown(LeakageCheck checked) {
        leaks.addAll(checked.leaks());
        if (execution == null || !checked.script().content().equals(current.content())) {
            run(checked.script());
        }
    }

    /// The most rows that a solution is to learn from: none where agents take the subsampling out
    /// of the last one.
    static @Nullable Integer rows(RunContext context) {
        return context.scoresAreTrusted()
                ? Integer.valueOf(context.limits().subsampleLimit())
                : null;
    }

    private void run(SolutionScript script) {
        // It has no result yet.
        execution = null;
        current = script;
        execution = steps.call(first.of(script.content()));
        if (execution instanceof Execution.Doubtful doubtful && doubtful.gave(kind)
                && !isWorseThanDoubted(doubtful)) {
            doubted = new DoubtedVersion(script, doubtful, repairedBy());
        }
    }

    /// A submission that is all there, but for its form, is worth one repair.
    private void repair() {
        boolean isTold = false;
        // A blend's program is the program's own: what fails in it are its members, as they were
        // written.
        while (!BlendedEnsemble.BLEND.equals(current.step())
                && execution instanceof Execution.Failed failed
                && !isStudied(failed) && repairs < steps.context().limits().maxDebugAttempts()) {
            boolean isOfForm = failed instanceof Execution.Doubtful doubtful && doubtful.isOfForm();
            if (isOfForm && isTold) {
                break;
            }
            isTold |= isOfForm;
            repairs++;
            Outcome<Reply.Code> reply = steps.outcome(
                    new Debugger(current.content(), bug(failed), kind, current.phase(),
                            shortly(failed.ending(kind))));
            if (reply instanceof Outcome.Failed<Reply.Code>(String reason, boolean unreadable)
                    && !unreadable) {
                break; // Out of reach: the same question would find it there again.
            }
            Optional<SolutionScript> changed = repaired(reply.value());
            if (changed.isPresent()) {
                changes++;
                firstError = firstError == null ? shortly(failed.reason(kind)) : firstError;
                checkAndRun(changed.get());
            }
        }
    }

    /// A study that was stopped at its time limit is as good as its rows.
    private boolean isStudied(Execution.Failed failed) {
        return kind == Kind.STUDY && failed instanceof Execution.TimedOut
                && failed.evaluation().stdout().lines().count() >= ROWS_OF_A_STUDY;
    }

    /// The bug for the debugger. A study adds the rows that it printed before, and a script that
    /// took too long adds the lines that tell where its time went.
    private String bug(Execution.Failed failed) {
        String printed = kind == Kind.STUDY || failed instanceof Execution.TimedOut
                ? OutputExcerpt.of(failed.evaluation().stdout(), PRINTED)
                : "";
        return failed.bug()
                + (printed.isBlank() ? "" : "\n\nBefore, it had printed:\n\n" + printed);
    }

    /// A version that was doubted stands if its repair fails or is worse.
    private Result ran() {
        if (doubted != null
                && (execution == null || execution instanceof Execution.Failed
                        || isWorseThanDoubted(execution))) {
            return new Result(doubted.script(), doubted.execution().trusted(), leaks, repairs,
                    doubted.repaired());
        }
        return new Result(current, Objects.requireNonNull(execution), leaks, repairs, repairedBy());
    }

    private @Nullable String repairedBy() {
        if (firstError == null) {
            return null;
        }
        return changes == 1
                ? "1 repair: " + firstError
                : changes + " repairs, the first of " + firstError;
    }

    private static String shortly(String error) {
        return Answer.wellFormed(error.substring(0, Math.min(ERROR_SHOWN, error.length())));
    }

    private boolean isWorseThanDoubted(Execution than) {
        if (doubted == null || !kind.isScored()) {
            return false;
        }
        if (kind == Kind.SUBMISSION) {
            return !doubted.execution().isOfForm() && than instanceof Execution.Doubtful doubtful
                    && doubtful.isOfForm();
        }
        Double score = than.evaluation().score().value();
        Double before = doubted.execution().evaluation().score().value();
        return score == null
                || before != null && steps.context().direction().isImprovement(before, score);
    }

    /// The repaired script; empty if the debugger gave no code, or that which has just run.
    private Optional<SolutionScript> repaired(Optional<Reply.Code> reply) {
        return reply
                .map(given -> kind == Kind.SOLUTION ? withScoreLine(given.code()) : given.code())
                .filter(code -> !code.equals(current.content()))
                .map(current::rewritten);
    }

    public static boolean hasScoreLine(String code) {
        return code.contains("Final Validation Performance");
    }

    /// REQ-SF-010: a repaired solution still has to print its score.
    static String withScoreLine(String code) {
        if (hasScoreLine(code)) {
            return code;
        }
        int main = code.indexOf(SolutionScript.MAIN);
        return main < 0
                ? code.stripTrailing() + "\n" + SCORE_LINE + "\n"
                : code.substring(0, main + 1) + SCORE_LINE + "\n" + code.substring(main + 1);
    }
}

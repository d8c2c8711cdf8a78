package io.mlestar.adapter.script;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StackDump;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import java.util.Optional;
import java.util.OptionalDouble;

/// Interprets a script's run: whether it failed, its score, and the error for the debugger.
public final class Evaluator {
    /// The exit code of what a signal 9 ended.
    private static final int KILLED = 137;

    private Evaluator() {}

    /// REQ-EX-013: a non-zero exit, a timeout, or a traceback on stderr.
    public static boolean isError(Sandbox.Raw raw) {
        return raw.exitCode() != 0 || raw.timedOut() || raw.stderr().contains(Tracebacks.HEADER);
    }

    /// REQ-EX-014.
    public static EvaluationResult result(Sandbox.Raw raw) {
        OptionalDouble score = Scores.parse(raw.stdout());
        boolean error = isError(raw);
        return new EvaluationResult(Score.printed(score.isPresent() ? score.getAsDouble() : null),
                raw.stdout(), raw.stderr(), raw.exitCode(), raw.durationSeconds(), error,
                error ? Tracebacks.last(raw.stderr()).orElse(null) : null);
    }

    /// A script that was refused before it ran, as a failed run.
    static EvaluationResult refused(Invalid refusal) {
        return new EvaluationResult(Score.NONE, "", "", -1, 0, true,
                Tracebacks.madeUp("", "ValueError: " + refusal.getMessage()));
    }

    /// A script whose process died with all around it, as a failed run.
    ///
    /// @param why for the debugger
    public static Execution killed(String why, double seconds) {
        String bug = Tracebacks.madeUp("", "MemoryError: " + why);
        return new Execution.Killed(
                new EvaluationResult(Score.NONE, "", "", KILLED, seconds, true, bug), bug);
    }

    /// The error for the debugger; empty if nothing is wrong.
    ///
    /// @param script its text
    static String bug(
            EvaluationResult result,
            String script,
            boolean timedOut,
            long timeoutSeconds) {
        if (!result.isError()) {
            return "";
        }
        String stderr = StackDump.shortened(result.stderr(), script);
        if (timedOut) {
            return Tracebacks.madeUp(stderr,
                    "TimeoutError: the script was stopped after " + timeoutSeconds + " seconds");
        }
        if (result.errorTraceback() != null) {
            return result.errorTraceback();
        }
        if (result.exitCode() > Execution.SIGNALS) {
            String cause = result.exitCode() == KILLED
                    ? ", mostly because the machine was out of memory: take less of it at once"
                    : "";
            return Tracebacks.madeUp(stderr, "RuntimeError: the script was killed by signal "
                    + (result.exitCode() - Execution.SIGNALS) + cause);
        }
        return Tracebacks.madeUp(stderr,
                stderr.isBlank()
                        ? "RuntimeError: the script ended with exit code " + result.exitCode()
                        : "");
    }

    /// The result as it counts: a submission script that left no file, or none that can be taken or
    /// is of the right form, has failed (REQ-FN-021).
    ///
    /// @param wrong what is wrong with the submission; empty if nothing
    static EvaluationResult counted(EvaluationResult result, Kind kind, Optional<String> wrong) {
        return kind == Kind.SUBMISSION ? validated(result, result.score(), wrong) : result;
    }

    /// The result of a script in a run whose scores the harness computes: what it prints as its
    /// score does not count.
    ///
    /// @param score none if it left no predictions that can be scored, or saw all rows
    /// @param wrong what is wrong with them; empty if nothing
    static EvaluationResult validated(
            EvaluationResult printed,
            Score score,
            Optional<String> wrong) {
        if (wrong.isEmpty() || printed.isError()) {
            return printed.scored(score);
        }
        return new EvaluationResult(score, printed.stdout(), printed.stderr(), printed.exitCode(),
                printed.durationSeconds(), true,
                Tracebacks.madeUp("", Execution.SUBMISSION + wrong.get()));
    }
}

package io.mlestar.step;

import io.mlestar.task.EvaluationResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What running a script showed. One that did not fail may have printed a score; the score that one printed which failed later does not
/// count (REQ-P2I-027).
public sealed interface Execution {
    /// What it printed, and how long it took.
    EvaluationResult evaluation();

    /// It ran to its end.
    sealed interface Ended extends Execution {
        /// The file it left; null if it left none.
        @Nullable Submission submission();
    }

    /// It ran to its end and printed a score.
    record Scored(EvaluationResult evaluation, @Nullable Submission submission) implements Ended {
        public Scored {
            Objects.requireNonNull(evaluation.score(), "score");
        }

        public double score() {
            return Objects.requireNonNull(evaluation.score());
        }
    }

    /// It ran to its end and printed no score.
    record Silent(EvaluationResult evaluation, @Nullable Submission submission) implements Ended {}

    /// It did not run to its end, or left nothing that can be taken.
    sealed interface Failed extends Execution {
        /// What the debugger is told. Made up where Python printed no traceback.
        String bug();

        /// What the bug ends with, which names the error.
        default String error() {
            return lastLine(bug());
        }
    }

    /// It ended by its own fault.
    record Crashed(EvaluationResult evaluation, String bug) implements Failed {}

    /// It was ended since its time was up.
    record TimedOut(EvaluationResult evaluation, String bug) implements Failed {}

    /// A signal ended it, or it died with its container.
    record Killed(EvaluationResult evaluation, String bug) implements Failed {}

    /// `./final/submission.csv` as a script left it (REQ-EX-025).
    ///
    /// @param key where the store keeps it
    /// @param rowCount lines without the header
    record Submission(String key, long sizeBytes, long rowCount) {}

    /// Exit codes above this one name a signal.
    int SIGNALS = 128;

    /// What a bug is called that nothing is known of.
    String FAILED = "it failed";

    /// @param timedOut killed for time
    /// @param submission null if it left none
    /// @param bug null if it did not fail
    static Execution of(EvaluationResult evaluation, boolean timedOut, @Nullable Submission submission, @Nullable String bug) {
        if (timedOut || evaluation.isError()) {
            String told = Objects.requireNonNullElse(bug, FAILED);
            return timedOut ? new TimedOut(evaluation, told)
                    : evaluation.exitCode() > SIGNALS ? new Killed(evaluation, told) : new Crashed(evaluation, told);
        }
        return evaluation.score() == null ? new Silent(evaluation, submission) : new Scored(evaluation, submission);
    }

    /// What a traceback ends with.
    static String lastLine(String bug) {
        return bug.strip().lines().reduce((first, second) -> second).orElse(FAILED);
    }
}

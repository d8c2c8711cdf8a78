package io.mlestar.core.step;

import io.mlestar.core.task.EvaluationResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What running a script showed. One that did not fail may have printed a score; the score that one printed which failed later does not
/// count (REQ-P2I-027).
public sealed interface Execution {
    /// What it printed, and how long it took.
    EvaluationResult evaluation();

    /// The same with a doubt overlooked.
    default Execution trusted() {
        return this;
    }

    /// It ran to its end.
    sealed interface Ended extends Execution {
        /// The file it left; null if it left none.
        @Nullable
        Submission submission();
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
        /// The traceback, or what stands for it where Python printed none.
        String bug();

        /// The last line of the bug, which names the error.
        default String error() {
            return lastLine(bug());
        }
    }

    /// It ended by its own fault.
    record Crashed(EvaluationResult evaluation, String bug) implements Failed {}

    /// It ended with exit code 0, but wrote a traceback on stderr, which is an error (REQ-EX-013): perhaps its own, perhaps a harmless one
    /// of a thread or a destructor. Or it left no submission where one was asked for, or one of a wrong form.
    ///
    /// @param submission the file it left; null if it left none
    record Doubtful(EvaluationResult evaluation, String bug, @Nullable Submission submission) implements Failed {
        /// Whether it gave what such a script is for.
        public boolean gave(RunScript.Kind kind) {
            return switch (kind) {
                case SOLUTION, BLEND -> evaluation.score() != null;
                case ABLATION, MACHINE, DATA_CARD, COMPARISON -> !evaluation.stdout().isBlank();
                case SUBMISSION, HOLDOUT -> submission != null;
            };
        }

        /// Whether the bug is the wrong form of the submission.
        public boolean isOfForm() {
            return submission != null && submission.wrong() != null && bug.contains(submission.wrong());
        }

        @Override
        public Ended trusted() {
            return ended(evaluation, submission);
        }
    }

    /// It was killed at its timeout.
    record TimedOut(EvaluationResult evaluation, String bug) implements Failed {}

    /// A signal ended it, or it died with its container.
    record Killed(EvaluationResult evaluation, String bug) implements Failed {}

    /// `./final/submission.csv` as a script left it (REQ-EX-025).
    ///
    /// @param key where the store keeps it
    /// @param rowCount lines without the header
    /// @param wrong what is wrong with its form, beside the sample submission; null if nothing is, or nothing shows the form
    record Submission(String key, long sizeBytes, long rowCount, @Nullable String wrong) {
        public Submission(String key, long sizeBytes, long rowCount) {
            this(key, sizeBytes, rowCount, null);
        }
    }

    /// Exit codes above this one name a signal.
    int SIGNALS = 128;

    /// The bug if nothing is known of it.
    String FAILED = "it failed";

    /// @param timedOut killed for time
    /// @param submission null if it left none
    /// @param bug null if it did not fail
    static Execution of(EvaluationResult evaluation, boolean timedOut, @Nullable Submission submission, @Nullable String bug) {
        if (!timedOut && !evaluation.isError()) {
            return ended(evaluation, submission);
        }
        String told = Objects.requireNonNullElse(bug, FAILED);
        if (timedOut) {
            return new TimedOut(evaluation, told);
        }
        if (evaluation.exitCode() == 0) {
            return new Doubtful(evaluation, told, submission);
        }
        return evaluation.exitCode() > SIGNALS ? new Killed(evaluation, told) : new Crashed(evaluation, told);
    }

    private static Ended ended(EvaluationResult evaluation, @Nullable Submission submission) {
        return evaluation.score() == null ? new Silent(evaluation, submission) : new Scored(evaluation, submission);
    }

    /// What a traceback ends with.
    static String lastLine(String bug) {
        return bug.strip().lines().reduce((first, second) -> second).orElse(FAILED);
    }
}

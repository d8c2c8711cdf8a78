package io.mlestar.core.step;

import io.mlestar.core.base.Controls;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The result of running a script. A script that did not fail may have printed a score; a score
/// that was printed before a failure does not count (REQ-P2I-027).
public sealed interface Execution {
    /// The output of the script, its score and its time.
    EvaluationResult evaluation();

    default String stdout() {
        return evaluation().stdout();
    }

    /// The same execution without its doubt.
    default Execution trusted() {
        return this;
    }

    /// The ending in the same words for the log, the terminal, the report and the debugger, e.g.
    /// `crashed: ValueError: …`.
    ///
    /// @param kind what was expected of it: only a solution has to print a score
    default String ending(Kind kind) {
        return switch (this) {
            case Scored scored -> "ran";
            case Silent silent ->
                isWithoutScore(kind) ? "ran, but " + lacking(stdout()) : "ran";
            case Doubtful doubtful -> doubtful.fault()
                    .map(fault -> (fault.contains(NOT_CREATED)
                            ? "ran, but wrote no submission: "
                            : "ran, but its submission is not in the right form: ")
                            + fault)
                    .orElseGet(() -> "ran, but wrote a traceback: " + doubtful.error());
            case TimedOut stopped -> String.format(Locale.ROOT, TIMED_OUT + "%,.1f s%s",
                    evaluation().durationSeconds(), StackDump.place(stopped.bug()));
            case Crashed _,Killed _ -> "crashed: " + ((Failed) this).error();
        };
    }

    /// The same in one of three words for what gives no score: `crashed`, `rejected` if it ran and
    /// what it gave cannot be taken, and `skipped`, as steps are that did not run.
    default String words(Kind kind) {
        String ending = ending(kind);
        if (this instanceof TimedOut) {
            return "crashed: " + ending;
        }
        return ending.startsWith("ran, but ") ? "rejected: " + ending : ending;
    }

    /// The reason why it counts as failed: the exception alone for a crash, else how it ended.
    default String reason(Kind kind) {
        return ending(kind).replaceFirst("^crashed: ", "");
    }

    /// True if a solution ran to its end but printed no score that can be read.
    default boolean isWithoutScore(Kind kind) {
        return kind == Kind.SOLUTION && this instanceof Silent;
    }

    /// True if the script ended by an error of its own: not if it ran to its end and only its
    /// submission cannot be taken.
    default boolean isError() {
        return this instanceof Failed
                && !(this instanceof Doubtful doubtful && doubtful.fault().isPresent());
    }

    /// It ran to its end.
    sealed interface Ended extends Execution {
        /// The file it left; null if it left none.
        @Nullable
        Submission submission();
    }

    /// It ran to its end and has a score, or predictions that are scored with others.
    record Scored(EvaluationResult evaluation, @Nullable Submission submission) implements Ended {}

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

    /// It ended with exit code 0, but wrote a traceback on stderr, which is an error (REQ-EX-013):
    /// perhaps its own, perhaps a harmless one of a thread or a destructor. Or it left no
    /// submission where one was asked for, or one of a wrong form.
    ///
    /// @param submission the file it left; null if it left none
    record Doubtful(
            EvaluationResult evaluation,
            String bug,
            @Nullable Submission submission) implements Failed {
        /// True if the script delivered what its kind is for: a score, findings or a submission.
        public boolean gave(Kind kind) {
            return switch (kind) {
                case SOLUTION -> evaluation.score().isKnown();
                case ABLATION, STUDY, MACHINE, DATA_CARD -> !stdout().isBlank();
                case SUBMISSION, HOLDOUT, SPLIT, METRIC -> submission != null;
            };
        }

        /// The error in the submission that the script left or should have left; empty if it is a
        /// traceback that raised the doubt.
        Optional<String> fault() {
            return error().startsWith(SUBMISSION)
                    ? Optional.of(error().substring(SUBMISSION.length()))
                    : Optional.empty();
        }

        /// True if the bug is the wrong form of the submission.
        public boolean isOfForm() {
            return submission != null && submission.wrong() != null
                    && bug.contains(submission.wrong());
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
    /// @param wrong what is wrong with its form, beside the sample submission; null if nothing is,
    ///   or nothing shows the form
    record Submission(String key, long sizeBytes, long rowCount, @Nullable String wrong) {
        public Submission(String key, long sizeBytes, long rowCount) {
            this(key, sizeBytes, rowCount, null);
        }
    }

    /// The first words of the ending of a script that was killed at its timeout.
    String TIMED_OUT = "timed out after ";

    /// Exit codes above this one name a signal.
    int SIGNALS = 128;

    /// The words that a script prints before its score.
    String SCORE = "Final Validation Performance:";
    Pattern INFINITE = Pattern.compile("[+-]?((?i:nan|inf(inity)?)|[\\d.]+[eE]\\+?\\d+)");

    /// The first words of the bug's last line where a submission is missing or cannot be taken.
    String SUBMISSION = "SubmissionError: ";
    /// The words that mark the fault of a missing submission.
    String NOT_CREATED = "was not created";

    /// The bug if nothing is known of it.
    String FAILED = "it failed";

    /// @param timedOut killed for time
    /// @param submission null if it left none
    /// @param bug null if it did not fail
    static Execution of(
            EvaluationResult evaluation,
            boolean timedOut,
            @Nullable Submission submission,
            @Nullable String bug) {
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
        return evaluation.exitCode() > SIGNALS
                ? new Killed(evaluation, told)
                : new Crashed(evaluation, told);
    }

    private static Ended ended(EvaluationResult evaluation, @Nullable Submission submission) {
        return evaluation.score().equals(Score.NONE)
                ? new Silent(evaluation, submission)
                : new Scored(evaluation, submission);
    }

    /// Explains what is wrong with the score in an output that has none.
    private static String lacking(String stdout) {
        int at = stdout.lastIndexOf(SCORE);
        String behind = at < 0 ? "" : stdout.substring(at + SCORE.length()).strip();
        String word = Controls
                .shown(behind.substring(0, Math.min(40, behind.length())).split("\\s", 2)[0])
                .replace('`', '\'');
        String number = INFINITE.matcher(word).matches() ? "finite number" : "number";
        return word.isEmpty()
                ? "printed no score (the last line must be `" + SCORE + " <number>`)"
                : "its score `" + word + "` is not a " + number;
    }

    /// The last line of a traceback: the error and its message.
    static String lastLine(String bug) {
        return bug.strip().lines().reduce((first, second) -> second).orElse(FAILED);
    }
}

package io.mlestar.show.log;

import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Writes the log lines of a script: its start, and how it ended.
final class ScriptLines {
    private ScriptLines() {}

    static LogLine started(RunScript script) {
        return LogLine.info("execution-start")
                .with("path", script.filename())
                .with("kind", script.kind().name().toLowerCase(Locale.ROOT))
                .with("content_length", script.content().length())
                .with("timeout", script.timeoutSeconds());
    }

    static List<LogLine> ended(RunScript script, Execution ran) {
        List<LogLine> lines = new ArrayList<>();
        LogLine complete = LogLine.info("execution-complete")
                .with("exit_code", ran.evaluation().exitCode())
                .with("seconds", ran.evaluation().durationSeconds())
                .with("output_length", ran.evaluation().stdout().length())
                .with("is_error", ran.isError());
        if (script.kind() == Kind.SOLUTION) {
            complete = ran.isWithoutScore(script.kind())
                    ? complete.with("score", "none")
                    : complete.score("score",
                            ran instanceof Execution.Scored
                                    ? ran.evaluation().score().value()
                                    : null);
        }
        Execution.Submission submission =
                ran instanceof Execution.Ended ended ? ended.submission() : null;
        lines.add(complete.yes("submission", submission != null));
        if (script.kind().isProbe()) {
            // Its failures are logged with the survey.
            return lines;
        }
        if (ran instanceof Execution.TimedOut) {
            lines.add(LogLine.warn("execution-timeout")
                    .with("path", script.filename())
                    .with("timeout", script.timeoutSeconds())
                    .with("stopped_after", ran.evaluation().durationSeconds()));
        }
        if (ran.isWithoutScore(script.kind())
                || ran instanceof Execution.Failed && !ran.isError()) {
            lines.add(LogLine.warn(ran instanceof Execution.Failed
                    ? "submission-rejected"
                    : "execution-without-score").with("says", ran.words(script.kind())));
        } else if (ran instanceof Execution.Failed failed) {
            lines.add(LogLine.warn("execution-error")
                    .with("exit_code", ran.evaluation().exitCode())
                    .with("error", failed.error()));
        }
        if (script.kind() == Kind.SUBMISSION) {
            lines.addAll(verified(submission));
        }
        return lines;
    }

    private static List<LogLine> verified(Execution.@Nullable Submission submission) {
        if (submission == null) {
            return List.of(LogLine.info("submission-verified").yes("exists", false));
        }
        List<LogLine> lines = new ArrayList<>(List.of(LogLine.info("submission-verified")
                .yes("exists", true)
                .with("bytes", submission.sizeBytes())
                .with("rows", submission.rowCount())));
        if (submission.rowCount() == 0) {
            lines.add(LogLine.warn("submission-without-rows")
                    .with("bytes", submission.sizeBytes())
                    .with("says", "submission.csv has no row of data"));
        }
        return lines;
    }
}

package io.mlestar.core.phase;

import io.mlestar.adapter.script.Tracebacks;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.EvaluationResult;
import java.util.Optional;

/// Runs scripts without Python: what a script does stands in its own comments, so the same text always does the same.
///
/// - `# score 0.8` prints a score; of several, the last one counts
/// - `# prints TEXT` prints something else
/// - `# crash WHY` ends with an error, after everything was printed
/// - `# grumbles WHY` writes a traceback and ends well all the same
/// - `# timeout` is killed for time
/// - `# submits 7` leaves a submission with that many rows
/// - `# malformed WHY` says what is wrong with the form of that
final class MadeUpPython {
    private MadeUpPython() {}

    static Execution run(RunScript script) {
        String code = script.content();
        Double score = last(code, "# score ").map(Double::valueOf).orElse(null);
        String stdout = last(code, "# prints ").map(text -> text + "\n").orElse("")
                + (score == null ? "" : "Final Validation Performance: " + score + "\n");
        Optional<Long> rows = last(code, "# submits ").map(Long::valueOf);
        boolean timedOut = code.contains("# timeout");
        Optional<String> malformed = last(code, "# malformed ");
        Optional<String> grumbling = last(code, "# grumbles ").or(() -> malformed);
        String traceback = last(code, "# crash ").or(() -> grumbling).map(why -> Tracebacks.madeUp("", "ValueError: " + why))
                .orElse(script.kind() == Kind.SUBMISSION && rows.isEmpty() && !timedOut
                        ? Tracebacks.madeUp("", "SubmissionError: ./final/submission.csv was not created or is empty") : null);
        boolean error = timedOut || traceback != null;
        String stderr = traceback == null ? "" : traceback;
        EvaluationResult result = new EvaluationResult(score, stdout, stderr, error && grumbling.isEmpty() ? 1 : 0, 2.5, error, traceback);
        return Execution.of(result, timedOut,
                error && grumbling.isEmpty() ? null : rows.map(count -> new Execution.Submission("kept.csv", 10 * count, count, malformed.orElse(null)))
                        .orElse(null),
                timedOut ? Tracebacks.madeUp("", "TimeoutError: the script was stopped") : traceback);
    }

    private static Optional<String> last(String code, String directive) {
        return code.lines().map(String::strip).filter(line -> line.startsWith(directive))
                .map(line -> line.substring(directive.length())).reduce((first, second) -> second);
    }
}

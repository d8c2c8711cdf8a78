package io.mlestar.step;

import io.mlestar.task.EvaluationResult;

/// What running a script showed.
///
/// @param timedOut killed for time
/// @param submission the file it left, if it did not fail; null if it left none
/// @param bug what the debugger is told; null if nothing went wrong. Made up where Python printed no traceback
public record Execution(EvaluationResult evaluation, boolean timedOut, Submission submission, String bug) {
    /// `./final/submission.csv` as a script left it (REQ-EX-025).
    ///
    /// @param key where the store keeps it
    /// @param rowCount lines without the header
    public record Submission(String key, long sizeBytes, long rowCount) {}

    /// What a bug ends with, which names the error.
    public static String lastLine(String bug) {
        return bug.strip().lines().reduce((first, second) -> second).orElse("it failed");
    }

    /// The score that counts: none if the script failed, even if it printed one before (REQ-P2I-027).
    public Double score() {
        return evaluation.isError() ? null : evaluation.score();
    }
}

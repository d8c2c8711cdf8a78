package io.mlestar.step;

/// Runs one Python program in a fresh folder with the task's data in `./input`.
///
/// @param content the program
/// @param kind what is expected of it
/// @param timeoutSeconds the most it may take; the run's deadline may allow less
public record RunScript(String content, Kind kind, int timeoutSeconds) implements Step<Execution> {
    /// What a script is for.
    public enum Kind {
        /// A solution: expected to print its validation score.
        SOLUTION,
        /// An ablation study: expected to print findings, no score (REQ-P2O-020).
        ABLATION,
        /// The last script: expected to write `./final/submission.csv` (REQ-FN-021).
        SUBMISSION
    }

    public static final String NAME = "script";

    @Override
    public String name() {
        return NAME;
    }
}

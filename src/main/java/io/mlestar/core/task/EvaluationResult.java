package io.mlestar.core.task;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What one run of a script showed (REQ-DM-021).
///
/// @param score printed on stdout; null if none could be read
/// @param exitCode 0 is success; -1 if the script was killed or refused
/// @param durationSeconds wall clock
/// @param isError failed, timed out, or wrote a traceback (REQ-EX-013)
/// @param errorTraceback last Python traceback, only with `isError`; null if there was none
/// @param validation where the harness computed `score`; null if the script printed it, or there is none
public record EvaluationResult(
        @Nullable Double score,
        String stdout,
        String stderr,
        int exitCode,
        double durationSeconds,
        boolean isError,
        @Nullable String errorTraceback,
        @Nullable Validation validation) {
    public EvaluationResult {
        Objects.requireNonNull(stdout, "stdout");
        Objects.requireNonNull(stderr, "stderr");
    }

    /// A result without a validation by the harness.
    public EvaluationResult(@Nullable Double score, String stdout, String stderr, int exitCode, double durationSeconds, boolean isError,
            @Nullable String errorTraceback) {
        this(score, stdout, stderr, exitCode, durationSeconds, isError, errorTraceback, null);
    }
}

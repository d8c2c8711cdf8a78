package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The result of one run of a script (REQ-DM-021).
///
/// @param score printed on stdout, or computed by the harness
/// @param exitCode 0 is success; -1 if the script was killed or refused
/// @param durationSeconds wall clock
/// @param isError failed, timed out, or wrote a traceback (REQ-EX-013)
/// @param errorTraceback last Python traceback, only with `isError`; null if there was none
public record EvaluationResult(
        @JsonUnwrapped @JsonProperty(Score.FIELDS) Score score,
        String stdout,
        String stderr,
        int exitCode,
        double durationSeconds,
        boolean isError,
        @Nullable String errorTraceback) {
    public EvaluationResult {
        Objects.requireNonNull(stdout, "stdout");
        Objects.requireNonNull(stderr, "stderr");
    }

    /// The same with another score.
    public EvaluationResult scored(Score other) {
        return new EvaluationResult(other, stdout, stderr, exitCode, durationSeconds, isError,
                errorTraceback);
    }
}

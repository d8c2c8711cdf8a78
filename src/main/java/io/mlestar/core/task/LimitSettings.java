package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.mlestar.core.base.Invalid;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The limits of time, money and data for a run and its scripts.
///
/// @param timeLimitSeconds wall clock for the whole run
/// @param phaseTimeBudget null is [PhaseTimeBudget#DEFAULT]
/// @param scriptTimeoutSeconds most time for one script; null leaves only the limits of run and
///   phase
/// @param subsampleLimit most training samples while refining
/// @param maxDebugAttempts calls of the debugger per script
/// @param maxBudgetUsd most money to spend on models; null is unlimited
/// @param maxSubmissionMb most MiB that a submission may have, at most 1024
public record LimitSettings(
        @JsonProperty(defaultValue = "86400") int timeLimitSeconds,
        @Nullable PhaseTimeBudget phaseTimeBudget,
        @Nullable Integer scriptTimeoutSeconds,
        @JsonProperty(defaultValue = "30000") int subsampleLimit,
        @JsonProperty(defaultValue = "3") int maxDebugAttempts,
        @Nullable Double maxBudgetUsd,
        @JsonProperty(defaultValue = "256") int maxSubmissionMb) {

    /// No budget is higher.
    public static final int MOST_USD = 1_000_000;
    /// A year.
    private static final int LONGEST_SECONDS = 366 * 86_400;
    /// A submission that people download lies in memory in one piece.
    private static final int MOST_SUBMISSION_MB = 1024;

    public LimitSettings {
        Invalid.count("time_limit_seconds", timeLimitSeconds, LONGEST_SECONDS);
        if (scriptTimeoutSeconds != null) {
            Invalid.count("script_timeout_seconds", scriptTimeoutSeconds, LONGEST_SECONDS);
        }
        Invalid.count("subsample_limit", subsampleLimit, 100_000_000);
        Invalid.count("max_debug_attempts", maxDebugAttempts, 100);
        if (maxBudgetUsd != null && !(maxBudgetUsd > 0 && maxBudgetUsd <= MOST_USD)) {
            throw new Invalid(
                    "max_budget_usd must be greater than 0 and at most " + MOST_USD + ", but is "
                            + maxBudgetUsd);
        }
        Invalid.count("max_submission_mb", maxSubmissionMb, MOST_SUBMISSION_MB);
    }

    public PhaseTimeBudget timeBudget() {
        return phaseTimeBudget == null ? PhaseTimeBudget.DEFAULT : phaseTimeBudget;
    }

    /// Seconds that one solution script may take, apart from the limits of run and phase
    /// (REQ-EX-046).
    public int solutionTimeoutSeconds() {
        return scriptTimeoutSeconds == null
                ? timeLimitSeconds
                : Math.min(scriptTimeoutSeconds, timeLimitSeconds);
    }

    /// The most bytes of a submission, from [#maxSubmissionMb].
    public long mostSubmissionBytes() {
        return (long) maxSubmissionMb << 20;
    }

    /// Sentence of the prompts that asks for subsampling (REQ-EX-017, REQ-EX-018).
    public String subsampleInstruction() {
        return String.format(Locale.ROOT,
                "If there are more than %1$d training samples, you must subsample to %1$d for a faster run.",
                subsampleLimit);
    }
}

package io.mlestar.bench;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What one contestant did in one competition with one seed.
///
/// @param contestant `mlestar`, or the name of a script
/// @param seed from 1
/// @param run name of the run in the store; null for a script
/// @param models that were asked, with commas between; empty for none
/// @param recorded answers were replayed and no model was asked, so that none of its figures counts
/// @param assessment of the submission
/// @param submitted whether there is one
/// @param hours of wall clock
/// @param costUsd null if a price is unknown
/// @param endedAt when the work was done
public record Cell(String contestant, String competition, int seed, @Nullable String run, String models, boolean recorded, boolean submitted,
        Assessment assessment, double hours, @Nullable Double costUsd, long inputTokens, long outputTokens, Instant endedAt) {
    /// What it cost to fill the cell.
    public record Effort(double hours, @Nullable Double costUsd, long inputTokens, long outputTokens, Instant endedAt) {}

    /// Whether its figures are results of the contestant.
    public boolean counts() {
        return !recorded;
    }

    /// Whether there is a medal; null if nobody can tell without a leaderboard or a grade.
    @Nullable
    Boolean anyMedal() {
        return !submitted || Boolean.FALSE.equals(assessment.valid()) ? Boolean.FALSE
                : assessment.valid() == null || assessment.thresholds() == null ? null : Boolean.valueOf(assessment.medal() != null);
    }
}

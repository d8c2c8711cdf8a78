package io.mlestar.core.step;

import java.time.Duration;
import java.time.Instant;

/// The time in which a step may begin and has to end (REQ-OR-024). Waiting for a slot, a GPU or a
/// node is not running: what a step may take is counted from the moment it really begins.
///
/// @param latestStart starting later is of no use
/// @param end the step's deadline
public record Window(Instant latestStart, Instant end) {
    public boolean isOpen(Instant now) {
        return !now.isAfter(latestStart);
    }

    /// The time left until the end; never negative.
    public Duration left(Instant now) {
        Duration left = Duration.between(now, end);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /// An equal share for each that runs or waits now: with one slot and four scripts, a quarter of
    /// the time left (REQ-OR-026).
    ///
    /// @param slots how many can run at once, at least 1
    /// @param contenders how many run or wait, this one included
    public Duration share(Instant now, int slots, int contenders) {
        return contenders <= slots
                ? left(now)
                : left(now).multipliedBy(slots).dividedBy(contenders);
    }
}

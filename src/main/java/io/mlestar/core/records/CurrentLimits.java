package io.mlestar.core.records;

import io.mlestar.core.task.LimitSettings;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The limits of a run as they are now: those it began with, and what it has been given since.
/// Recorded deadlines do not change: a reader adds [#extension] to them.
///
/// @param run as it began
/// @param extension the time it has been given
/// @param budgetUsd what its models may cost in all; null is unlimited
public record CurrentLimits(RunHeader run, Duration extension, @Nullable Double budgetUsd) {
    private static final Duration LONGEST_RESERVE_FLOOR = Duration.ofMinutes(5);
    /// The delay of a script that hangs in a cluster: a timer, which ticks each minute, ends it ten
    /// seconds after its deadline.
    private static final Duration LATE = Duration.ofSeconds(70);
    /// The time that finalization may take beyond the deadline. REQ-OR-024 allows 30 seconds for
    /// shutdown; the rest is for ending a script that is still running then, and for publishing how
    /// the run ended.
    public static final Duration GRACE = Duration.ofSeconds(15);

    /// The limits that a run begins with.
    public static CurrentLimits of(RunHeader run) {
        return new CurrentLimits(run, Duration.ZERO, run.config().limits().maxBudgetUsd());
    }

    /// @param usd added to the budget, if there is one
    public CurrentLimits extended(Duration time, double usd) {
        return new CurrentLimits(run, extension.plus(time),
                budgetUsd == null
                        ? null
                        : Double.valueOf(Math.min(budgetUsd + usd, LimitSettings.MOST_USD)));
    }

    public Instant deadline() {
        return run.deadline().plus(extension);
    }

    /// The time limit of the whole run, extensions included.
    public Duration time() {
        return Duration.between(run.startedAt(), deadline());
    }

    /// The time from which on no iteration begins: what is left is for finalization. 10 % of the
    /// time limit or 5 minutes, whichever is more, but of the 5 minutes at most half of the limit
    /// (REQ-OR-034), and no more than finalization may take by what was measured. While nothing has
    /// scored nothing is kept: there would be nothing to finalize. If other machines run the
    /// scripts, one that hangs may end late.
    public Instant finalizeAt(Measurements measured) {
        return measured.hasScored()
                ? finalizeAfter(
                        measured.lastTime().plus(run.environment() == null ? LATE : Duration.ZERO))
                : deadline();
    }

    /// The earliest such time, whatever is measured.
    public Instant finalizeAt() {
        return finalizeAfter(floor());
    }

    private Instant finalizeAfter(Duration needed) {
        Duration most = needed.compareTo(floor()) < 0 ? needed : floor();
        Duration tenth = begunWith().dividedBy(10);
        return deadline().minus(tenth.compareTo(most) > 0 ? tenth : most);
    }

    /// The least time that a phase is given, so that short limits still get through Phase 1.
    public Duration floor() {
        Duration half = begunWith().dividedBy(2);
        return half.compareTo(LONGEST_RESERVE_FLOOR) < 0 ? half : LONGEST_RESERVE_FLOOR;
    }

    /// The time limit of the configuration.
    public Duration begunWith() {
        return Duration.ofSeconds(run.config().limits().timeLimitSeconds());
    }
}

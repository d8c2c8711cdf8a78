package io.mlestar.core.base;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/// Exponential backoff for retries of what is [Unavailable]: each pause before another try is twice
/// the one before, up to a limit.
///
/// @param first before the first retry
/// @param longest never exceeded, but for the jitter
public record Backoff(Duration first, Duration longest) {
    private static final int MOST_DOUBLINGS = 30;

    /// The pause after a number of tries that failed.
    public Duration pause(int failed) {
        Duration doubled = first.multipliedBy(1L << Math.min(failed - 1, MOST_DOUBLINGS));
        return doubled.compareTo(longest) < 0 ? doubled : longest;
    }

    /// The same with jitter, up to a quarter more, so that calls that failed together are not
    /// retried together.
    public Duration jittered(int failed) {
        Duration pause = pause(failed);
        return pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis() / 4 + 1));
    }

    /// @return false if the thread was interrupted, which it stays
    public static boolean sleep(Duration pause) {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

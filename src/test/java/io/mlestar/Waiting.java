package io.mlestar;

import module java.base;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/// The way that tests wait for what other threads, processes and browsers do: for a condition, and
/// as long as the busiest machine needs.
public final class Waiting {
    /// Only what stands still takes longer.
    public static final Duration MOST = Duration.ofSeconds(300);

    private Waiting() {}

    /// @param what is waited for, as a clause that says so where it does not come
    public static void until(String what, Callable<Boolean> condition) {
        patiently(what).until(condition);
    }

    /// The same, for what has conditions of its own. They are asked in this thread, and its
    /// failures are the test's.
    public static ConditionFactory patiently(String what) {
        return Awaitility.await(what).atMost(MOST).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10))
                .pollInSameThread()
                .dontCatchUncaughtExceptions();
    }
}

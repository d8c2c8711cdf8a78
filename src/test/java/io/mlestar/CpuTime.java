package io.mlestar;

import java.lang.management.ManagementFactory;
import module java.base;

/// The cost of something to a processor, which does not grow because other programs want the
/// processor, too.
public final class CpuTime {
    private static final int ROUNDS = 5;

    private CpuTime() {}

    /// Something to measure.
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    /// The time of this thread, in the cheapest of a few rounds: the first ones load and compile
    /// classes.
    public static Duration ofThread(Work work) throws Exception {
        return least(work, CpuTime::thread);
    }

    /// The time of all threads, those of the JVM included, in the cheapest of a few rounds.
    public static Duration ofProcess(Work work) throws Exception {
        return least(work, CpuTime::process);
    }

    /// The time that the process has used until now, in nanoseconds.
    public static long process() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /// The time that this thread has used until now, in nanoseconds.
    static long thread() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static Duration least(Work work, java.util.function.LongSupplier clock) throws Exception {
        long[] rounds = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long begin = clock.getAsLong();
            work.run();
            rounds[round] = clock.getAsLong() - begin;
        }
        return Duration.ofNanos(LongStream.of(rounds).min().orElseThrow());
    }
}

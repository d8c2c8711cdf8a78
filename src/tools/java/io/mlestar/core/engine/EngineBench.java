package io.mlestar.core.engine;

import io.mlestar.Requirement;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import module java.base;

/// Measures the engine on the embedded broker, over HTTP, with models and scripts that answer at
/// once: one run, from a hundred steps to thirty thousand, and many runs that begin at the same
/// moment.
final class EngineBench {
    private static final String CONFIG =
            """
                    {"num_parallel_solutions": 4, "outer_loop_steps": %d, "inner_loop_steps": 4, "ensemble_rounds": 5, "time_limit_seconds": 864000}""";
    private static final String SMALL = """
            {"num_parallel_solutions": 1, "outer_loop_steps": 1, "inner_loop_steps": 1, "ensemble_rounds": 1}""";
    /// A hundredth of a run's time, as the requirement has it, would be 100 ms and more: no step of
    /// a real run takes less than ten seconds.
    private static final double MOST_CPU_MILLIS = 20;
    /// Two like runs may differ by half where other programs come and go. A cost that grew with the
    /// run would be a hundred times as high.
    private static final double MOST_GROWTH = 3;
    private static final long MOST_HEAP_GROWTH_MB = 64;
    private static final int FEW = 64;
    private static final int MANY = 1_000;
    private static final long MOST_HEAP_OF_MANY_MB = 256;
    private static final double MOST_EVENTS_OF_A_RUN = 8;
    private static final int ROUNDS = 5;
    private static final double MOST_MORE_REQUESTS = 3.5;

    private EngineBench() {}

    static void measure() throws Exception {
        one("memory", 12);
        one("folder", 12);
        System.out.println("the engine over HTTP: one run, its cost against the smallest, heap at most");
        System.out.println("store       steps   steps/s    CPU ms/step    ratio   heap MB");
        table("memory", 12, 125);
        table("folder", 12, 125, 393);
        together();
        roundTrips();
    }

    /// @param blocks of the runs after the smallest, which has one on each path
    @Requirement({"REQ-OR-048", "REQ-OR-049"})
    static void table(String kind, int... blocks) throws Exception {
        Throughput smallest = one(kind, 1);
        for (int round = 1; round < ROUNDS; round++) {
            Throughput again = one(kind, 1);
            smallest = again.cpuSeconds() < smallest.cpuSeconds() ? again : smallest;
        }
        System.out.println(words(kind, smallest, smallest));
        for (int each : blocks) {
            Throughput larger = one(kind, each);
            System.out.println(words(kind, larger, smallest));
            Bench.atMost(MOST_CPU_MILLIS, larger.cpuMillisPerStep(), "ms of processor time per step (REQ-OR-048)");
            Bench.atMost(MOST_GROWTH, growth(larger, smallest), "times the cost per step of the smallest run");
            if (kind.equals("folder")) {
                Bench.atMost(MOST_HEAP_GROWTH_MB, larger.heapMb() - smallest.heapMb(),
                        "MB more than the smallest run keeps (REQ-OR-049)");
            }
        }
    }

    private static String words(String what, Throughput measured, Throughput other) {
        return String.format(Locale.ROOT, "%-9s %7d %9.0f %14.2f %8.2f %9d", what, measured.steps(),
                measured.perSecond(), measured.cpuMillisPerStep(),
                growth(measured, other), measured.heapMb());
    }

    private static double growth(Throughput measured, Throughput other) {
        return measured.cpuMillisPerStep() / other.cpuMillisPerStep();
    }

    private static Throughput one(String kind, int blocks) throws Exception {
        List<RunHeader> run = List.of(Throughput.header("bench", CONFIG.formatted(blocks)));
        if (kind.equals("memory")) {
            return Throughput.of(new MemoryStore(), new World(1, 0), run);
        }
        try (BenchFolder folder = BenchFolder.make()) {
            return Throughput.of(new FolderStore(folder.path()), new World(1, 0), run);
        }
    }

    /// A path of many blocks is replayed from more records than a process remembers, so it reads
    /// some of them again. In a bucket each request is a round trip.
    private static void roundTrips() {
        RoundTrips small = RoundTrips.warm(CONFIG.formatted(12));
        RoundTrips large = RoundTrips.warm(CONFIG.formatted(125));
        double more = large.perStep() - small.perStep();
        System.out.printf(Locale.ROOT,
                "%nrequests of the store per step: %.1f in a run of %,d steps, %.1f in one of %,d%n",
                large.perStep(), large.steps(), small.perStep(), small.steps());
        Bench.atMost(MOST_MORE_REQUESTS, more, "requests of the store per step more than in a smaller run");
    }

    /// The events that wait are what the runs have asked for: their number may grow with that of
    /// the runs, and with nothing else.
    private static void together() throws InterruptedException {
        System.out.println(
                "\nmany runs at once, the store in memory: their cost against that of fewer, heap with the store at most");
        System.out.println("runs        steps   steps/s    CPU ms/step    ratio   heap MB   events that wait, per run");
        Throughput few = atOnce(FEW);
        line(FEW, few, few);
        line(MANY, atOnce(MANY), few);
    }

    private static void line(int runs, Throughput measured, Throughput other) {
        double waiting = (double) measured.mostOpen() / runs;
        System.out.print(words(Integer.toString(runs), measured, other));
        System.out.printf(Locale.ROOT, "%10.1f%n", waiting);
        Bench.atMost(MOST_EVENTS_OF_A_RUN, waiting, "events that wait, per run");
        Bench.atMost(MOST_HEAP_OF_MANY_MB, measured.heapMb(), "MB of heap with " + runs + " runs and their store");
        Bench.atMost(MOST_GROWTH, growth(measured, other), "times the cost per step of " + FEW + " runs");
    }

    private static Throughput atOnce(int runs) throws InterruptedException {
        return Throughput.of(new MemoryStore(), new World(1, 0),
                IntStream.range(0, runs).mapToObj(run -> Throughput.header("run-" + run, SMALL)).toList());
    }
}

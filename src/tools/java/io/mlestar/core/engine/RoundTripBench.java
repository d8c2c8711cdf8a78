package io.mlestar.core.engine;

import java.util.List;
import java.util.Locale;

/// What a step asks of its store, phases around it included. In a bucket each request is a round
/// trip.
final class RoundTripBench {
    private static final String CONFIG = """
            {"num_parallel_solutions": 2, "inner_loop_steps": 2, "outer_loop_steps": %d %s}""";
    private static final int BLOCKS = 2;
    private static final String LONG =
            """
                    {"num_parallel_solutions": 4, "inner_loop_steps": 4, "outer_loop_steps": %d, "time_limit_seconds": 864000}""";
    private static final int FEW_BLOCKS = 12;
    private static final int MANY_BLOCKS = 125;
    /// A path of many blocks is replayed from more records than a process remembers, so it reads
    /// some of them again.
    private static final double MOST_MORE = 3.5;

    /// @param warm at most per step, where one process does everything and remembers it
    /// @param cold at most per step, where each event meets a process of its own
    private record Bound(String what, String settings, double warm, double cold) {}

    /// As the tests have them.
    private static final List<Bound> BOUNDS = List.of(
            new Bound("no budget", "", 12.0, 29.0),
            new Bound("max_budget_usd", ", \"max_budget_usd\": 100", 18.3, 41.8));

    private RoundTripBench() {}

    static void measure() {
        System.out.println(
                "\nrequests of the store, per step                 creates    reads  listings   all   at most");
        for (Bound bound : BOUNDS) {
            String config = CONFIG.formatted(BLOCKS, bound.settings());
            line(bound.what() + ", one process", RoundTrips.warm(config), bound.warm());
            line(bound.what() + ", a process for each event", RoundTrips.cold(config), bound.cold());
        }
        RoundTrips small = RoundTrips.warm(LONG.formatted(FEW_BLOCKS));
        RoundTrips large = RoundTrips.warm(LONG.formatted(MANY_BLOCKS));
        double more = large.perStep() - small.perStep();
        System.out.printf(Locale.ROOT,
                "one process, a run of %,d steps against one of %,d: %.1f more per step (at most %.1f), %.2f times as many%n",
                large.steps(), small.steps(), more, MOST_MORE, large.perStep() / small.perStep());
        Bench.atMost(MOST_MORE, more, "requests of the store per step more than in a smaller run");
    }

    private static void line(String what, RoundTrips trips, double most) {
        System.out.printf(Locale.ROOT, "%-47s %7.1f %8.1f %9.1f %5.1f %9.1f%n", what,
                trips.creates() / (double) trips.steps(),
                trips.reads() / (double) trips.steps(), trips.lists() / (double) trips.steps(), trips.perStep(), most);
        Bench.atMost(most, trips.perStep(), "requests of the store per step: " + what);
    }
}

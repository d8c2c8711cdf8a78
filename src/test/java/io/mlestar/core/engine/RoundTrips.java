package io.mlestar.core.engine;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Execution;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.WatchedStore;
import java.time.Duration;

/// Counts what a run asks of its store: in a bucket each is a round trip.
///
/// @param steps answers and scripts
record RoundTrips(int creates, int reads, int lists, int steps) {
    private static final Duration TAKES = Duration.ofSeconds(30);

    /// One process handles all events and remembers what it has read and written.
    static RoundTrips warm(String config) {
        return of(config, false);
    }

    /// Each event by a process of its own, as after a scale to zero.
    static RoundTrips cold(String config) {
        return of(config, true);
    }

    /// An event arrives 20 ms after the one before it, and an answer or a script takes half a
    /// minute.
    private static RoundTrips of(String config, boolean fresh) {
        WatchedStore store = new WatchedStore(new MemoryStore());
        OneEngine.MovingClock clock = new OneEngine.MovingClock();
        World world = new World(1, 0).asking(question -> {
            clock.now = clock.now.plus(TAKES);
            return question.answer();
        }).running(job -> {
            Execution ran = job.execution();
            clock.now = clock.now.plus(TAKES);
            return ran;
        });
        OneEngine one = new OneEngine(store, world, clock, new Watcher() {});
        one.keepSubmission();
        one.engine.start(World.header("run", config));
        while (!one.events.isEmpty()) {
            clock.now = clock.now.plusMillis(20);
            one.deliver(fresh ? one.process(new Records(store), world) : one.engine);
        }
        one.end("run");
        return new RoundTrips(store.created().size(), store.read().size(), store.listed().size(), world.paid.size());
    }

    double perStep() {
        return (double) (creates + reads + lists) / steps;
    }
}

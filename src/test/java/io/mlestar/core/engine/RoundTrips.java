package io.mlestar.core.engine;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.WatchedStore;
import module java.base;

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
        OneEngine one = new OneEngine(store, new World(1, 0), new OneEngine.MovingClock(), new Watcher() {})
                .taking(TAKES, TAKES);
        one.keepSubmission();
        one.engine.start(World.header("run", config));
        while (!one.events.isEmpty()) {
            one.clock.now = one.clock.now.plusMillis(20);
            one.deliver(fresh ? one.process(new Records(store), one.world) : one.engine);
        }
        one.end("run");
        return new RoundTrips(store.created().size(), store.read().size(), store.listed().size(),
                one.world.paid.size());
    }

    double perStep() {
        return (double) (creates + reads + lists) / steps;
    }
}

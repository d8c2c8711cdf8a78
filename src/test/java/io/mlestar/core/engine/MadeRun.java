package io.mlestar.core.engine;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/// A whole run of the made-up world, for tests of what shows runs.
///
/// @param end by the made-up clock
public record MadeRun(Records records, RunHeader header, Instant end) {
    /// Every look at it takes a hundredth of a second.
    private static final class Ticking implements InstantSource {
        private Instant now = World.NOW;

        @Override
        public Instant instant() {
            now = now.plusMillis(10);
            return now;
        }
    }

    /// Runs to the end.
    ///
    /// @param config JSON
    /// @param faults of a hundred answers and scripts, how many go wrong
    public static MadeRun ended(Store store, String run, String config, long seed, int faults) {
        return after(store, run, config, seed, faults, Integer.MAX_VALUE);
    }

    /// Stops after so many events.
    public static MadeRun after(Store store, String run, String config, long seed, int faults, int events) {
        Records records = new Records(store);
        Ticking clock = new Ticking();
        Deque<Event> open = new ArrayDeque<>();
        Engine engine = new Engine(records, event -> {
            if (!event.type().startsWith("io.mlestar.run.")) {
                open.add(event);
            }
        }, new World(seed, faults), clock, new Watcher() {});
        engine.start(World.header(run, config));
        for (int i = 0; i < events && !open.isEmpty(); i++) {
            engine.work(Event.stepOf(open.poll().data()));
        }
        return new MadeRun(records, records.header(run).orElseThrow(), clock.instant());
    }

    public StepPath root() {
        return StepPath.root(header.runId());
    }
}

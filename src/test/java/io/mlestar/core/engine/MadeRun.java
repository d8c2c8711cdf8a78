package io.mlestar.core.engine;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import module java.base;

/// A whole run of the made-up world, for tests of what shows runs.
///
/// @param end by the made-up clock, of which each look takes a hundredth of a second
public record MadeRun(Records records, RunHeader header, Instant end) {
    /// Runs to the end.
    ///
    /// @param config JSON
    /// @param faults of a hundred answers and scripts, how many go wrong
    public static MadeRun ended(Store store, String run, String config, long seed, int faults) {
        return after(store, run, config, seed, faults, Integer.MAX_VALUE);
    }

    /// Stops after so many events.
    public static MadeRun after(Store store, String run, String config, long seed, int faults, int events) {
        OneEngine one = new OneEngine(store, new World(seed, faults), OneEngine.MovingClock.ticking(World.NOW, 10),
                new Watcher() {});
        one.engine.start(World.header(run, config));
        for (int i = 0; i < events && !one.events.isEmpty(); i++) {
            one.deliver(one.engine);
        }
        return new MadeRun(one.records, one.records.header(run).orElseThrow(), one.clock.instant());
    }

    public StepPath root() {
        return StepPath.root(header.runId());
    }
}

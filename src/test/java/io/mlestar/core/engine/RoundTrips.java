package io.mlestar.core.engine;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Execution;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Counts what a run asks of its store, by kind of object: in a bucket each is a round trip.
///
/// @param reads by kind, as the two that follow
/// @param steps answers and scripts
record RoundTrips(Map<String, Integer> reads, Map<String, Integer> lists, Map<String, Integer> creates, int steps) {
    private static final Duration TAKES = Duration.ofSeconds(30);

    /// Everything by one process, which remembers what it has read and written.
    static RoundTrips warm(String config) {
        return of(config, false);
    }

    /// Each event by a process of its own, as after a scale to zero.
    static RoundTrips cold(String config) {
        return of(config, true);
    }

    /// An event arrives 20 ms after the one before it, and an answer or a script takes half a minute.
    private static RoundTrips of(String config, boolean fresh) {
        RoundTrips trips = new RoundTrips(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), 0);
        OneEngine.MovingClock clock = new OneEngine.MovingClock();
        World world = new World(1, 0).asking(question -> {
            clock.now = clock.now.plus(TAKES);
            return question.answer();
        }).running(job -> {
            Execution ran = job.execution();
            clock.now = clock.now.plus(TAKES);
            return ran;
        });
        OneEngine one = new OneEngine(trips.counting(), world, clock, new Watcher() {});
        one.store.create("kept", new byte[] {1});
        Engine engine = fresh ? one.process(new Records(one.store), world) : one.engine;
        engine.start(World.header("run", config));
        while (!one.events.isEmpty()) {
            clock.now = clock.now.plusMillis(20);
            one.deliver(fresh ? one.process(new Records(one.store), world) : engine);
        }
        one.end("run");
        return new RoundTrips(trips.reads, trips.lists, trips.creates, world.paid.size());
    }

    private ForwardingStore counting() {
        return new ForwardingStore(new MemoryStore()) {
            @Override
            public boolean create(String key, byte[] content) {
                creates.merge(kind(key), 1, Integer::sum);
                return super.create(key, content);
            }

            @Override
            public Optional<byte[]> read(String key) {
                synchronized (reads) {
                    reads.merge(kind(key), 1, Integer::sum);
                }
                return super.read(key);
            }

            @Override
            public List<String> list(String folder) {
                lists.merge("list", 1, Integer::sum);
                return super.list(folder);
            }
        };
    }

    private static String kind(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        String kind = name.indexOf('.') < 0 ? name : name.substring(name.indexOf('.') + 1);
        return key.contains("/steps/") ? kind.replaceAll("-[0-9]+", "-N") : name.equals("steps.result.json") ? "root result" : name;
    }

    double perStep() {
        return (double) (sum(reads) + sum(lists) + sum(creates)) / steps;
    }

    private static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(count -> count).sum();
    }
}

package io.mlestar.core.engine;

import io.mlestar.core.event.Event;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Counts what a run asks of its store, by kind of object: in a bucket each is a round trip.
///
/// @param reads by kind, as the two that follow
/// @param steps answers and scripts
record RoundTrips(Map<String, Integer> reads, Map<String, Integer> lists, Map<String, Integer> creates, int steps) {

    /// Everything by one process, which remembers what it has read and written.
    static RoundTrips warm(String config) {
        return of(config, false);
    }

    /// Each event by a process of its own, as after a scale to zero.
    static RoundTrips cold(String config) {
        return of(config, true);
    }

    /// An event arrives 20 ms after it was sent, and whatever costs something takes half a minute: what was seen before has been long ago then.
    private static RoundTrips of(String config, boolean fresh) {
        RoundTrips trips = new RoundTrips(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), 0);
        ForwardingStore store = trips.counting();
        World world = new World(1, 0);
        store.create("kept", new byte[] {1});
        Instant[] now = {World.NOW};
        Queue<Delivery> deliveries = new PriorityQueue<>();
        Publisher publisher = event -> deliveries.add(new Delivery(now[0].plusMillis(20), deliveries.size(), event));
        Supplier<Engine> start = () -> new Engine(new Records(store), publisher, taking(world, () -> now[0] = now[0].plusSeconds(30)), () -> now[0],
                new Watcher() {});
        Engine engine = start.get();
        RunHeader header = World.header("run", config);
        engine.start(header);
        for (Delivery delivery = deliveries.poll(); delivery != null; delivery = deliveries.poll()) {
            if (!delivery.event().endsRun()) {
                now[0] = delivery.at();
                engine = fresh ? start.get() : engine;
                engine.work(Event.stepOf(delivery.event().data()));
            }
        }
        if (!new Records(store).hasEnded(header.runId())) {
            throw new IllegalStateException("the run stands still");
        }
        return new RoundTrips(trips.reads, trips.lists, trips.creates, world.paid.size());
    }

    private record Delivery(Instant at, int order, Event event) implements Comparable<Delivery> {
        @Override
        public int compareTo(Delivery other) {
            return Comparator.comparing(Delivery::at).thenComparing(Delivery::order).compare(this, other);
        }
    }

    private static Performer taking(World world, Runnable time) {
        return new ForwardingPerformer(world) {
            @Override
            public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
                time.run();
                return super.ask(step, agent, brief, timeout, second);
            }

            @Override
            public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
                Execution ran = super.run(step, script, brief, window, begin);
                time.run();
                return ran;
            }
        };
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

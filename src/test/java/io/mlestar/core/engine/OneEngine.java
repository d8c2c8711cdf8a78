package io.mlestar.core.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// An engine over a store in memory, whose events are delivered one after the other by the test.
public class OneEngine {
    public final MemoryStore store = new MemoryStore();
    public final Records records = new Records(store);
    public final Deque<Event> events = new ArrayDeque<>();
    public final List<Event> ends = new ArrayList<>();
    public final World world;
    public final MovingClock clock = new MovingClock();
    public final Engine engine;

    public OneEngine() {
        this(new World(1, 0));
    }

    public OneEngine(World world) {
        this(world, world);
    }

    /// @param performer does what `world` does, in its own way
    OneEngine(World world, Performer performer) {
        this.world = world;
        this.engine = new Engine(records, this::take, performer, clock, new Watcher() {});
    }

    /// Goes on by a tick whenever somebody looks.
    public static final class MovingClock implements InstantSource {
        Instant now = World.NOW;
        Duration tick = Duration.ZERO;

        @Override
        public Instant instant() {
            now = now.plus(tick);
            return now;
        }
    }

    public void take(Event event) {
        (event.type().startsWith("io.mlestar.run.") ? ends : events).add(event);
    }

    public JsonNode runToTheEnd(String config) {
        RunHeader header = World.header("r", config);
        engine.start(header);
        deliverAll();
        return store.read("runs/r/result.json").map(Json::parse).orElse(null);
    }

    /// Goes on until the first phase of the paper is asked for.
    public void afterTheSurvey() {
        while (records.request(StepPath.parse("r/phase1")).isEmpty()) {
            engine.work(Event.stepOf(events.poll().data()));
        }
        events.clear();
    }

    public void deliverAll() {
        while (!events.isEmpty()) {
            engine.work(Event.stepOf(events.poll().data()));
        }
    }
}

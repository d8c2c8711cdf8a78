package io.mlestar.core.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import module java.base;

/// The made-up world behind an engine whose events the test delivers, one after the other. The test
/// may add further processes.
public class OneEngine {
    public final Store store;
    public final Records records;
    /// Not yet delivered.
    public final Deque<Event> events = new ArrayDeque<>();
    /// Those that say how a run ended.
    public final List<Event> ends = new ArrayList<>();
    /// All that were published.
    public final List<Event> published = new ArrayList<>();
    public final World world;
    public final MovingClock clock;
    public final Engine engine;
    private final Watcher watcher;

    public OneEngine() {
        this(new World(1, 0));
    }

    public OneEngine(World world) {
        this(new MemoryStore(), world, new MovingClock(), new Watcher() {});
    }

    public OneEngine(Store store, World world, MovingClock clock, Watcher watcher) {
        this.store = store;
        this.records = new Records(store);
        this.world = world;
        this.clock = clock;
        this.watcher = watcher;
        this.engine = process(world);
    }

    /// Goes on by a tick at each look.
    public static final class MovingClock implements InstantSource {
        public Instant now = World.NOW;
        public Duration tick = Duration.ZERO;
        private boolean real;

        public static MovingClock ticking(Instant now, long millis) {
            MovingClock clock = new MovingClock();
            clock.now = now;
            clock.tick = Duration.ofMillis(millis);
            return clock;
        }

        /// Shows the machine's time.
        static MovingClock system() {
            MovingClock clock = new MovingClock();
            clock.real = true;
            return clock;
        }

        @Override
        public Instant instant() {
            now = real ? Instant.now() : now.plus(tick);
            return now;
        }
    }

    /// Another process at the same broker.
    public final Engine process(Performer performer) {
        return process(records, performer);
    }

    public final Engine process(Records records, Performer performer) {
        return new Engine(records, this::take, performer, clock, watcher);
    }

    public final Sweep sweep(Engine process) {
        return new Sweep(records, this::take, process, clock);
    }

    public void take(Event event) {
        published.add(event);
        (event.endsRun() ? ends : events).add(event);
    }

    /// Stores the submission that the made-up scripts leave.
    public void keepSubmission() {
        store.create("kept", "id,y\n1,0\n".getBytes(StandardCharsets.UTF_8));
    }

    /// Lets each answer and each script take its time.
    public OneEngine taking(Duration answer, Duration script) {
        world.asking(question -> {
            clock.now = clock.now.plus(answer);
            return question.answer();
        }).running(job -> {
            Execution ran = job.execution();
            clock.now = clock.now.plus(script);
            return ran;
        });
        return this;
    }

    public JsonNode runToTheEnd(String config) {
        RunHeader header = World.header("r", config);
        engine.start(header);
        deliverAll();
        return store.read("runs/r/result.json").map(Json::parse).orElse(null);
    }

    /// Goes on until the first phase of the paper is asked for.
    public void afterTheSurvey() {
        untilAsked("r/phase1");
        events.clear();
    }

    public void untilAsked(String step) {
        until(() -> records.request(StepPath.parse(step)).isPresent());
    }

    public void until(BooleanSupplier enough) {
        while (!enough.getAsBoolean()) {
            deliver(engine);
        }
    }

    public void deliver(Engine engine) {
        engine.work(Event.stepOf(events.remove().data()));
    }

    public void deliverAll() {
        deliverAll(engine);
    }

    public void deliverAll(Engine engine) {
        while (!events.isEmpty()) {
            deliver(engine);
        }
    }

    /// The events of some steps become dead letters.
    public void deliverAllBut(Predicate<StepPath> lost, String reason) {
        while (!events.isEmpty()) {
            StepPath step = Event.stepOf(events.remove().data());
            if (lost.test(step)) {
                engine.fail(step, reason);
            } else {
                engine.work(step);
            }
        }
    }

    /// Brings the events in any order to any of the processes, and some of them again.
    public void deliverAtRandom(Random random, List<Engine> processes) {
        while (!events.isEmpty()) {
            Event event = List.copyOf(events).get(random.nextInt(events.size()));
            if (random.nextInt(5) > 0) {
                events.remove(event);
            }
            processes.get(random.nextInt(processes.size())).work(Event.stepOf(event.data()));
        }
    }

    /// @return how the run ended
    public StepResult end(String run) {
        return records.result(StepPath.root(run)).orElseThrow(() -> new AssertionError(run + " has not ended"));
    }
}

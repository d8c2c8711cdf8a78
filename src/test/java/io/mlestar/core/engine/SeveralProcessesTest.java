package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.WatchedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a process remembers of a run is only a part of what all processes know.
class SeveralProcessesTest {
    private static final String SIDE_BY_SIDE = """
            {"outer_loop_steps": 2, "inner_loop_steps": 2, "ensemble_rounds": 2, "num_parallel_solutions": 2, "attempts_at_once": 2, "rounds_at_once": 2}""";

    private final WatchedStore store = new WatchedStore(new MemoryStore());
    private final OneEngine.MovingClock clock = new OneEngine.MovingClock();
    private final List<Event> events = new ArrayList<>();

    private Engine process(World world) {
        return new Engine(new Records(store), this::take, world, clock, new Watcher() {});
    }

    private void take(Event event) {
        if (!event.endsRun()) {
            events.add(event);
        }
    }

    private void deliverAll(Engine engine) {
        while (!events.isEmpty()) {
            engine.work(Event.stepOf(events.removeFirst().data()));
        }
    }

    /// Of two steps that a phase waits for each process may have seen one end.
    @Test
    void whicheverOfThemIsWokenNoRunStandsStillAndNothingIsPaidForTwice() {
        for (long seed = 0; seed < 16; seed++) {
            String run = "r" + seed;
            RunHeader header = World.header(run, SIDE_BY_SIDE);
            World world = new World(seed, 15);
            Random random = new Random(seed);
            List<Engine> processes = List.of(process(world), process(world), process(world));
            Set<String> twice = new HashSet<>();
            processes.getFirst().start(header);
            while (!events.isEmpty()) {
                Event event = events.remove(random.nextInt(events.size()));
                if (random.nextInt(5) == 0 && twice.add(event.id())) {
                    events.add(event);
                }
                processes.get(random.nextInt(processes.size())).work(Event.stepOf(event.data()));
            }
            StepResult result = new Records(store).result(StepPath.root(run)).orElseThrow(() -> new AssertionError(run + " stands still"));
            assertThat(world.paidTwice()).as(run).isZero();
            assertThat(result instanceof StepResult.Done done ? done.value() : Json.tree(result.reason())).as(run)
                    .isEqualTo(direct(header, new World(seed, 15)));
        }
    }

    private static Object direct(RunHeader header, World world) {
        try {
            return Json.parse(Json.bytes(new Pipeline().run(new DirectSteps(header.brief(), world, StepPath.root(header.runId())))));
        } catch (StepFailed e) {
            return Json.tree(e.getMessage());
        }
    }

    @Test
    void inAPhaseThatWasFailedNothingMoreBegins() {
        World world = new World(1, 0);
        Engine first = process(world);
        Engine second = process(world);
        first.start(World.header("r", "{\"num_parallel_solutions\": 2}"));
        StepPath path = StepPath.parse("r/phase2-path0");
        while (world.paid.keySet().stream().noneMatch(step -> step.inside().startsWith(path.inside()))) {
            first.work(Event.stepOf(events.removeFirst().data()));
        }
        second.fail(path, "its events could not be delivered");
        long before = below(world, path);
        deliverAll(first);
        assertThat(below(world, path)).isEqualTo(before);
        assertThat(new Records(store).result(StepPath.root("r")).orElseThrow().status()).isEqualTo(StepResult.Status.DONE);
    }

    private static long below(World world, StepPath phase) {
        return world.paid.keySet().stream().filter(step -> step.inside().startsWith(phase.inside() + "/")).count();
    }

    @Test
    void aPhaseThatAnotherOneRefusedIsNotBegunByALateEventThoughThereIsMoneyNow() {
        World world = new World(1, 0);
        Engine first = process(world);
        RunHeader header = World.header("r", "{\"max_budget_usd\": 0.04}");
        first.start(header);
        Records records = new Records(store);
        StepPath candidate = StepPath.parse("r/phase1/candidate1");
        while (records.request(candidate).isEmpty()) {
            first.work(Event.stepOf(events.removeFirst().data()));
        }
        StepResult refused = StepResult.of(new Outcome.Stopped<>("no money"), clock.now, clock.now, 0.0);
        assertThat(records.create(candidate, refused)).isTrue();
        new Extensions(store).add(header, new Extension(clock.now, "ann", 0, 10));
        clock.now = clock.now.plus(Duration.ofSeconds(1));
        events.clear();
        first.work(candidate);
        process(world).work(candidate);
        assertThat(records.listed(candidate)).isEmpty();
        assertThat(events).extracting(Event::subject).as("whoever waits for it is woken").containsExactly("r/phase1", "r/phase1");
    }

    @Test
    void aPhaseThatAnotherVersionWentOnWithAndEndedDoesNotFailTheRun() {
        Engine engine = process(new World(1, 0));
        engine.start(World.header("r", "{}"));
        Records records = new Records(store);
        StepPath phase = StepPath.parse("r/phase1");
        while (records.request(phase).isEmpty()) {
            engine.work(Event.stepOf(events.removeFirst().data()));
        }
        records.create(phase.child("retriever"), new StepRequest("agent/coder", Json.object(), "phase/initial-solution", World.NOW, World.NOW));
        records.create(phase, StepResult.of(new Outcome.Failed<>("no candidate ran"), World.NOW, World.NOW, 0.0));
        events.clear();
        process(new World(1, 0)).work(phase);
        assertThat(records.result(StepPath.root("r"))).isEmpty();
        assertThat(events).extracting(Event::subject).as("the run goes on").containsExactly("r");
    }
}

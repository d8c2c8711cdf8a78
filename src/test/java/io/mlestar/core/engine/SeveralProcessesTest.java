package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.OtherProgram;
import io.mlestar.core.store.Store;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a process remembers of a run is only a part of what all processes know.
class SeveralProcessesTest {
    private static final String SIDE_BY_SIDE = """
            {"outer_loop_steps": 2, "inner_loop_steps": 2, "ensemble_rounds": 2, "num_parallel_solutions": 2}""";

    private final World world = new World(1, 0);
    private final OneEngine one = new OneEngine(world);
    private final Store store = one.store;
    private final Records records = one.records;

    private Engine process() {
        return one.process(new Records(store), world);
    }

    private static Set<String> writers(Records records, String run) {
        return Walk.READABLE.steps(records, run).map(KnownStep::path).map(records::endedBy).flatMap(Optional::stream)
                .collect(Collectors.toSet());
    }

    /// Of two steps that a phase waits for each process may have seen one end. One of them may be
    /// of another version.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Requirement("REQ-OR-051")
    void whicheverOfThemIsWokenNoRunStandsStillAndNothingIsPaidForTwice(boolean versions) {
        for (long seed = 0; seed < 16; seed++) {
            String run = "r" + seed;
            RunHeader header = World.header(run, SIDE_BY_SIDE);
            World played = new World(seed, 15);
            Random random = new Random(seed);
            Store other = versions ? new OtherProgram(store, ChecksummedJson.FORMAT) : store;
            List<Engine> processes =
                    Stream.of(store, other, store).map(Records::new).map(read -> one.process(read, played)).toList();
            Set<String> twice = new HashSet<>();
            processes.getFirst().start(header);
            while (!one.events.isEmpty()) {
                Event event = List.copyOf(one.events).get(random.nextInt(one.events.size()));
                if (random.nextInt(5) > 0 || !twice.add(event.id())) {
                    one.events.remove(event);
                }
                processes.get(random.nextInt(processes.size())).work(Event.stepOf(event.data()));
            }
            assertThat(played.paidTwice()).as(run).isZero();
            assertThat(DirectSteps.end(one.end(run))).as(run).isEqualTo(DirectSteps.end(header, new World(seed, 15)));
            assertThat(writers(records, run)).contains(ProgramVersion.HERE.toString()).hasSize(versions ? 2 : 1);
        }
    }

    @Test
    void inAPhaseThatWasFailedNothingMoreBegins() {
        Engine first = process();
        Engine second = process();
        first.start(World.header("r", "{\"num_parallel_solutions\": 2}"));
        StepPath path = StepPath.parse("r/phase2-path0");
        while (world.paid.keySet().stream().noneMatch(step -> step.inside().startsWith(path.inside()))) {
            one.deliver(first);
        }
        second.fail(path, "its events could not be delivered");
        long before = below(world, path);
        one.deliverAll(first);
        assertThat(below(world, path)).isEqualTo(before);
        assertThat(records.result(StepPath.root("r")).orElseThrow().status()).isEqualTo(StepResult.Status.DONE);
    }

    private static long below(World world, StepPath phase) {
        return world.paid.keySet().stream().filter(step -> step.inside().startsWith(phase.inside() + "/")).count();
    }

    @Test
    void aPhaseThatAnotherOneRefusedIsNotBegunByALateEventThoughThereIsMoneyNow() {
        Engine first = process();
        RunHeader header = World.header("r", "{\"max_budget_usd\": 0.04}");
        first.start(header);
        StepPath candidate = StepPath.parse("r/phase1/candidate1");
        while (records.request(candidate).isEmpty()) {
            one.deliver(first);
        }
        StepResult refused = StepResult.of(new Outcome.Stopped<>("no money"), one.clock.now, one.clock.now, 0.0);
        assertThat(records.create(candidate, refused)).isTrue();
        new Extensions(store).add(header, new Extension(one.clock.now, "ann", 0, 10));
        one.clock.now = one.clock.now.plus(Duration.ofSeconds(1));
        one.events.clear();
        first.work(candidate);
        process().work(candidate);
        assertThat(records.listed(candidate)).isEmpty();
        assertThat(one.events).extracting(Event::subject).as("the phase that waits for it is woken")
                .containsExactly("r/phase1", "r/phase1");
    }

    @Test
    void aPhaseThatAnotherVersionWentOnWithAndEndedDoesNotFailTheRun() {
        Engine engine = process();
        engine.start(World.header("r", "{}"));
        StepPath phase = StepPath.parse("r/phase1");
        while (records.request(phase).isEmpty()) {
            one.deliver(engine);
        }
        records.create(phase.child("retriever"),
                new StepRequest("agent/coder", Json.object(), "phase/initial-solution", World.NOW, World.NOW, false));
        records.create(phase, StepResult.of(new Outcome.Failed<>("no candidate ran"), World.NOW, World.NOW, 0.0));
        one.events.clear();
        process().work(phase);
        assertThat(records.result(StepPath.root("r"))).isEmpty();
        assertThat(one.events).extracting(Event::subject).as("the run goes on").containsExactly("r");
    }
}

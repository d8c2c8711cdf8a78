package io.mlestar.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.event.Event;
import io.mlestar.phase.Pipeline;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.StepResult;
import io.mlestar.records.Watcher;
import io.mlestar.step.Outcome;
import io.mlestar.step.StepPath;
import io.mlestar.store.MemoryStore;
import io.mlestar.store.Store;
import io.mlestar.task.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScriptSlotsTest {
    private static final String CONFIG = """
            {"num_retrieved_models": 3, "outer_loop_steps": 1, "inner_loop_steps": 2, "ensemble_rounds": 2, "attempts_at_once": 2, "rounds_at_once": 2,
             "max_debug_attempts": 1%s}""";
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private final Store store = new MemoryStore();
    private final Records records = new Records(store);
    private final List<Event> open = new ArrayList<>();
    private Instant now = World.NOW;

    private Engine engine(World world) {
        return new Engine(new Records(store), event -> {
            if (!event.endsRun()) {
                open.add(event);
            }
        }, world, () -> now, new Watcher() {});
    }

    private static RunHeader header(String run, String limit) {
        return World.header(run, CONFIG.formatted(limit));
    }

    private Set<StepPath> inProgress() {
        Set<StepPath> scripts = new HashSet<>();
        open.stream().filter(event -> event.type().equals(Event.SCRIPT)).map(event -> Event.stepOf(event.data()))
                .filter(step -> records.result(step).isEmpty() && !records.request(step).orElseThrow().essential()).forEach(scripts::add);
        return scripts;
    }

    /// @return most scripts that were in progress at once
    private int play(long seed, RunHeader header) {
        World world = new World(seed, 15);
        List<Engine> processes = List.of(engine(world), engine(world), engine(world));
        Random random = new Random(seed);
        processes.getFirst().start(header);
        int most = 0;
        while (!open.isEmpty()) {
            most = Math.max(most, inProgress().size());
            // Scripts take their time.
            List<Event> quick = open.stream().filter(each -> !each.type().equals(Event.SCRIPT)).toList();
            List<Event> next = quick.isEmpty() ? open : quick;
            Event event = next.get(random.nextInt(next.size()));
            if (random.nextInt(5) > 0) {
                open.remove(event);
            }
            processes.get(random.nextInt(3)).work(Event.stepOf(event.data()));
        }
        StepResult.Done end = (StepResult.Done) records.result(StepPath.root(header.runId())).orElseThrow();
        assertThat(end.value()).isEqualTo(
                Json.parse(Json.bytes(new Pipeline().run(new DirectSteps(header.brief(), new World(seed, 15), StepPath.root(header.runId()))))));
        return most;
    }

    @Test
    void noMoreScriptsAreInProgressThanTheRunMayHave() {
        int unlimited = 0;
        int two = 0;
        for (long seed = 0; seed < 5; seed++) {
            unlimited = Math.max(unlimited, play(seed, header("free-" + seed, "")));
            assertThat(play(seed, header("one-" + seed, ", \"scripts_in_progress\": 1"))).isOne();
            two = Math.max(two, play(seed, header("two-" + seed, ", \"scripts_in_progress\": 2")));
        }
        assertThat(two).isEqualTo(2);
        assertThat(unlimited).as("without a limit").isGreaterThan(2);
        assertThat(store.list("runs/free-0/slots")).isEmpty();
    }

    /// The only one at work died after it had stored what the script gave.
    @Test
    void theSweepGivesASlotToTheNextAndLeavesThoseAloneThatWait() {
        Engine engine = engine(new World(1, 0));
        engine.start(header("r", ", \"scripts_in_progress\": 1"));
        while (records.listed(StepPath.parse("r/phase1")).keySet().stream().filter(name -> name.startsWith("candidate")).count() < 3 || waiting() < 2) {
            Event next = open.stream().filter(event -> !event.type().equals(Event.SCRIPT) || !Event.stepOf(event.data()).toString().contains("candidate"))
                    .findFirst().orElseThrow();
            open.remove(next);
            engine.work(Event.stepOf(next.data()));
        }
        Set<StepPath> before = inProgress();
        assertThat(before).hasSize(1);
        StepPath holder = before.iterator().next();
        open.clear();
        Sweep sweep = new Sweep(records, open::add, engine, () -> now);
        now = now.plus(PATIENCE).plusSeconds(1);
        assertThat(sweep.run("r", PATIENCE)).isOne();
        assertThat(inProgress()).as("only who has the slot is sent again").containsExactly(holder);

        open.clear();
        records.create(holder, StepResult.of(new Outcome.Failed<>("it died then"), now, now, 0.0));
        sweep.run("r", PATIENCE);
        assertThat(inProgress()).as("the next").hasSize(1).doesNotContain(holder);
        StepPath second = inProgress().iterator().next();
        open.clear();
        now = now.plus(PATIENCE).minusSeconds(1);
        sweep.run("r", PATIENCE);
        assertThat(inProgress()).as("its patience counts from its turn").doesNotContain(second).isEmpty();
    }

    private long waiting() {
        return records.listed(StepPath.parse("r/phase1")).keySet().stream()
                .map(name -> StepPath.parse("r/phase1").child(name).child("evaluation").child("script"))
                .filter(script -> records.request(script).isPresent() && records.result(script).isEmpty()).count() - 1;
    }
}

package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.event.Event;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.core.store.OtherProgram;
import io.mlestar.core.store.Store;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Two versions of the program at one run: side by side, one after the other, and one that does not know the other's format.
class VersionsTest {
    private static final String CONFIG = """
            {"num_retrieved_models": 2, "outer_loop_steps": 1, "inner_loop_steps": 2, "ensemble_rounds": 1, "max_debug_attempts": 1}""";
    private static final InstantSource CLOCK = InstantSource.fixed(World.NOW.plusSeconds(60));

    private final List<Event> open = new ArrayList<>();

    private Engine engine(Records records, World world) {
        return new Engine(records, event -> {
            if (!event.endsRun()) {
                open.add(event);
            }
        }, world, CLOCK, new Watcher() {});
    }

    private static Set<String> writers(Records records, String run) {
        return records.all(StepPath.root(run)).map(KnownStep::path).map(records::endedBy).flatMap(Optional::stream).collect(Collectors.toSet());
    }

    @Test
    void twoVersionsSideBySideFinishARunAsOneDoes() {
        for (long seed = 0; seed < 5; seed++) {
            open.clear();
            RunHeader header = World.header("r", CONFIG);
            World world = new World(seed, 15);
            MemoryStore store = new MemoryStore();
            Records records = new Records(store);
            List<Engine> versions = List.of(engine(records, world), engine(new Records(new OtherProgram(store, ChecksummedJson.FORMAT)), world));
            Random random = new Random(seed);
            versions.get(random.nextInt(2)).start(header);
            while (!open.isEmpty()) {
                Event event = open.remove(random.nextInt(open.size()));
                versions.get(random.nextInt(2)).work(Event.stepOf(event.data()));
            }
            StepResult.Done end = (StepResult.Done) records.result(StepPath.root("r")).orElseThrow();
            assertThat(end.value()).as("seed %d", seed).isEqualTo(Json.parse(Json.bytes(
                    new Pipeline().run(new DirectSteps(header.brief(), new World(seed, 15), StepPath.root("r"))))));
            assertThat(world.paidTwice()).isZero();
            assertThat(writers(records, "r")).containsExactlyInAnyOrder(ProgramVersion.HERE.toString(), OtherProgram.NAME);
        }
    }

    @Test
    void aRecordOfANewerFormatIsRefusedAndNothingIsLost() {
        Store store = new MemoryStore();
        World world = new World(1, 0);
        Records newer = new Records(new OtherProgram(store, ChecksummedJson.FORMAT + 1));
        engine(newer, world).start(World.header("r", CONFIG));
        for (int i = 0; i < 20; i++) {
            engine(newer, world).work(Event.stepOf(open.removeFirst().data()));
        }
        Map<String, byte[]> before = DamagedRunTest.objects(store, "runs");
        Records ours = new Records(store);
        Engine engine = engine(ours, world);
        List<Event> waiting = List.copyOf(open);
        for (Event event : waiting) {
            assertThatThrownBy(() -> engine.work(Event.stepOf(event.data()))).isInstanceOf(NewerRecord.class)
                    .hasMessageContainingAll("runs/r/run.json", "mlestar " + OtherProgram.NAME, "format 2", "mlestar " + ProgramVersion.HERE, "format")
                    .hasMessageNotContaining("\n");
            assertThatThrownBy(() -> engine.fail(Event.stepOf(event.data()), "it could not be done")).isInstanceOf(NewerRecord.class);
        }
        assertThat(new Sweep(ours, open::add, engine, CLOCK).all(Duration.ZERO)).as("events that a sweep of the older one sends").isZero();
        assertThat(DamagedRunTest.objects(store, "runs")).as("nothing was changed").usingRecursiveComparison().isEqualTo(before);
        assertThat(open).isEqualTo(waiting);

        while (!open.isEmpty()) {
            engine(newer, world).work(Event.stepOf(open.removeFirst().data()));
        }
        assertThat(newer.result(StepPath.root("r"))).get().isInstanceOf(StepResult.Done.class);
        assertThat(world.paidTwice()).isZero();
    }

    @Test
    void aStoreOfTheReleasedFormatIsFinishedByThisVersion() throws IOException {
        Store store = ReleasedStore.read();
        Records records = new Records(store);
        StepPath root = StepPath.root(ReleasedStore.RUN);
        assertThat(records.hasEnded(ReleasedStore.RUN)).isFalse();
        Set<StepPath> done = records.all(root).filter(step -> step.result().isPresent() && !step.request().isPhase()).map(KnownStep::path)
                .collect(Collectors.toSet());
        assertThat(done).hasSizeGreaterThan(10);
        World world = new World(7, 0);
        Engine engine = engine(records, world);
        new Sweep(records, open::add, engine, CLOCK).run(ReleasedStore.RUN, Duration.ZERO);
        while (!open.isEmpty()) {
            engine.work(Event.stepOf(open.removeFirst().data()));
        }
        assertThat(records.result(root)).get().isInstanceOf(StepResult.Done.class);
        assertThat(world.paid.keySet()).as("nothing is paid twice").isNotEmpty().doesNotContainAnyElementsOf(done);
        assertThat(store.read(Records.key(ReleasedStore.RUN, "result.json")).map(Json::parse).orElseThrow().hasNonNull("best_score")).isTrue();
    }
}

package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.engine.OneEngine.MovingClock;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.core.store.OtherProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// An older version of the program at a run of a newer one, whose format it does not know.
class VersionsTest extends OneEngine {
    private static final String CONFIG =
            """
                    {"num_retrieved_models": 2, "outer_loop_steps": 1, "inner_loop_steps": 2, "ensemble_rounds": 1, "max_debug_attempts": 1}""";

    @Test
    void aRecordOfANewerFormatIsRefusedAndNothingIsLost() {
        Records theirs = new Records(new OtherProgram(store, ChecksummedJson.FORMAT + 1));
        Engine newer = process(theirs, world);
        newer.start(World.header("r", CONFIG));
        for (int i = 0; i < 20; i++) {
            deliver(newer);
        }
        Map<String, byte[]> before = DamagedRunTest.objects(store, "runs");
        List<Event> waiting = List.copyOf(events);
        for (Event event : waiting) {
            assertThatThrownBy(() -> engine.work(Event.stepOf(event.data()))).isInstanceOf(NewerRecord.class)
                    .hasMessageContainingAll("runs/r/run.json", "mlestar " + OtherProgram.NAME, "format 2",
                            "mlestar " + ProgramVersion.HERE, "format")
                    .hasMessageNotContaining("\n");
            assertThatThrownBy(() -> engine.fail(Event.stepOf(event.data()), "it could not be done"))
                    .isInstanceOf(NewerRecord.class);
        }
        assertThat(sweep(engine).all(Duration.ZERO)).as("events that a sweep of the older one sends").isZero();
        assertThat(DamagedRunTest.objects(store, "runs")).as("nothing was changed").usingRecursiveComparison()
                .isEqualTo(before);
        assertThat(events).containsExactlyElementsOf(waiting);

        deliverAll(process(theirs, world));
        assertThat(theirs.result(StepPath.root("r"))).get().matches(StepResult::isDone);
        assertThat(world.paidTwice()).isZero();
    }

    @Test
    void aStoreOfTheReleasedFormatIsFinishedByThisVersion() throws IOException {
        World later = new World(7, 0);
        OneEngine one = new OneEngine(ReleasedStore.read(), later, MovingClock.ticking(World.NOW.plusSeconds(60), 0),
                new Watcher() {});
        StepPath root = StepPath.root(ReleasedStore.RUN);
        assertThat(one.records.hasEnded(ReleasedStore.RUN)).isFalse();
        Set<String> done = Walk.READABLE.steps(one.records, root)
                .filter(step -> step.result().isPresent() && !step.request().isPhase())
                .map(step -> step.path().toString())
                .collect(Collectors.toSet());
        assertThat(done).hasSizeGreaterThan(10);
        one.sweep(one.engine).run(ReleasedStore.RUN, Duration.ZERO);
        one.deliverAll();
        assertThat(one.end(ReleasedStore.RUN)).matches(StepResult::isDone);
        assertThat(later.paid.keySet()).as("nothing is paid twice").isNotEmpty().map(String::valueOf)
                .doesNotContainAnyElementsOf(done);
        assertThat(one.store.read(Records.key(ReleasedStore.RUN, "result.json")).map(Json::parse).orElseThrow()
                .hasNonNull("best_score")).isTrue();
    }
}

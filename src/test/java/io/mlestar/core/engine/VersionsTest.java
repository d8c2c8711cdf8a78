package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.core.store.OtherProgram;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// An older version of the program at a run of a newer one, whose format it does not know.
class VersionsTest extends OneEngine {
    private static final String CONFIG = """
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
                    .hasMessageContainingAll("runs/r/run.json", "mlestar " + OtherProgram.NAME, "format 2", "mlestar " + ProgramVersion.HERE, "format")
                    .hasMessageNotContaining("\n");
            assertThatThrownBy(() -> engine.fail(Event.stepOf(event.data()), "it could not be done")).isInstanceOf(NewerRecord.class);
        }
        assertThat(sweep(engine).all(Duration.ZERO)).as("events that a sweep of the older one sends").isZero();
        assertThat(DamagedRunTest.objects(store, "runs")).as("nothing was changed").usingRecursiveComparison().isEqualTo(before);
        assertThat(events).containsExactlyElementsOf(waiting);

        deliverAll(process(theirs, world));
        assertThat(theirs.result(StepPath.root("r"))).get().isInstanceOf(StepResult.Done.class);
        assertThat(world.paidTwice()).isZero();
    }
}

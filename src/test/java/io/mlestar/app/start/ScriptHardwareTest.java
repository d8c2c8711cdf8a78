package io.mlestar.app.start;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.script.Machine;
import io.mlestar.core.engine.World;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.DataModality;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptHardwareTest {
    private static final Machine PLAIN = new Machine(2, 8L << 30, List.of());
    private static final Machine WITH_GPU = new Machine(2, 8L << 30, List.of("made-up"));
    /// Two kinds beside that without a GPU: `MLE_STAR_HARDWARE_GPU` and one more.
    private static final Map<String, String> CLUSTER = Map.of("K_SINK", "http://broker", "MLE_STAR_HARDWARE", "plain",
            "MLE_STAR_HARDWARE_GPU", "a GPU", "MLE_STAR_HARDWARE_A100_80GB", "a big GPU");

    private static ScriptHardware chosen(String wanted, DataModality modality, Map<String, String> environment) {
        return ScriptHardware.of(wanted, modality, environment, PLAIN);
    }

    /// Agents read about the machine that is chosen.
    @ParameterizedTest
    @CsvSource({"cpu, IMAGE, cpu, plain", "gpu, TABULAR, gpu, a GPU", "a100-80gb, TABULAR, a100-80gb, a big GPU",
        "auto, TABULAR, cpu, plain", "auto, IMAGE, gpu, a GPU", "auto, TEXT, gpu, a GPU", "auto, AUDIO, gpu, a GPU",
        "auto, MIXED, gpu, a GPU"})
    void aRunNamesItsKindOfMachineElseTablesGetNoGpuAndOtherDataOne(String wanted, DataModality modality, String kind,
            String told) {
        assertThat(chosen(wanted, modality, CLUSTER)).isEqualTo(new ScriptHardware(kind, told));
        if (wanted.equals("auto")) {
            Map<String, String> none = Map.of("K_SINK", "http://broker", "MLE_STAR_HARDWARE", "plain");
            assertThat(chosen(wanted, modality, none).kind()).isEqualTo("cpu");
        }
    }

    @Test
    void whatIsNotOfferedIsRefusedBeforeAnythingIsPaid() {
        refusal(() -> chosen("h100", DataModality.IMAGE, CLUSTER)).contains("hardware h100", "a100-80gb, cpu, gpu",
                "MLE_STAR_HARDWARE_H100");
    }

    @Test
    void oneMachineOffersWhatItHas() {
        assertThat(ScriptHardware.of("auto", DataModality.IMAGE, Map.of(), WITH_GPU).kind()).isEqualTo("gpu");
        assertThat(ScriptHardware.of("auto", DataModality.IMAGE, Map.of(), PLAIN))
                .isEqualTo(new ScriptHardware("cpu", PLAIN.describe()));
        refusal(() -> ScriptHardware.of("gpu", DataModality.IMAGE, Map.of(), PLAIN)).contains("offered are cpu");
    }

    @Test
    void theEventOfAScriptNamesTheMachineOfItsRunAndNoOtherEventDoes() {
        Records records = new Records(new MemoryStore());
        records.create(World.header("plain", "{\"hardware\": \"cpu\"}"));
        records.create(World.header("big", "{\"hardware\": \"a100\"}"));
        Event plain = Event.work(Event.SCRIPT, StepPath.parse("plain/evaluation/script"), "asked");
        assertThat(ScriptHardware.placed(plain, records).headers()).containsEntry("ce-hardware", "cpu");
        Event big = Event.work(Event.SCRIPT, StepPath.parse("big/evaluation/script"), "asked")
                .with(Map.of("traceparent", "00"));
        assertThat(ScriptHardware.placed(big, records).headers()).containsEntry("ce-hardware", "a100")
                .containsEntry("ce-traceparent", "00");
        Event agent = Event.work(Event.agentType("coder"), StepPath.parse("big/coder"), "asked");
        assertThat(ScriptHardware.placed(agent, records)).isEqualTo(agent);
    }
}

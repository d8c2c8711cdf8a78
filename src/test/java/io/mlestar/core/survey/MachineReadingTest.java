package io.mlestar.core.survey;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.Facts;
import io.mlestar.core.step.MachineFacts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineReadingTest {
    private static final String ALL =
            """
                    {"python": "3.11.7", "system": "Linux x86_64", "processors": 8, "memory_bytes": 34359738368, "scripts_at_once": 4, "scripts_per_gpu": 2,
                     "free_disk_bytes": 1073741824, "network": false, "libraries": {"numpy": "1.26.4", "torch": "2.1.0+cu121", "opencv": "?"},
                     "missing": ["lightgbm"], "others": {"pyyaml": "6.0"}, "others_left_out": 3, "weights": ["huggingface google/vit-base"],
                     "gpus": [{"name": "NVIDIA A100-SXM4-40GB", "memory_bytes": 42949672960, "driver": "535.104.05", "cuda": "12.2"}]}"""
                    .replace("\n", "");

    @Test
    void whatAProbePrintsIsRead() {
        assertThat(MachineReading.read("a library says hello\n" + ALL + "\n"))
                .isEqualTo(new MachineFacts("3.11.7", "Linux x86_64", 8, 32L << 30, 4, 2, 1L << 30, false,
                        List.of(new MachineFacts.Gpu("NVIDIA A100-SXM4-40GB", 40L << 30, "535.104.05", "12.2")),
                        Map.of("numpy", "1.26.4", "torch", "2.1.0+cu121", "opencv", "?"), List.of("lightgbm"),
                        Map.of("pyyaml", "6.0"), 3,
                        List.of("huggingface google/vit-base")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "[]", "3", "null", "\"text\"", "{", "{\"python\": }", "{}{}",
        "{\"python\": 3}", "{}"})
    void whatIsNoDocumentOfFactsTellsNothing(String printed) {
        assertThat(MachineReading.read(printed)).isEqualTo(MachineFacts.UNKNOWN);
    }

    @Test
    void whatIsTooLongOrTooDeepTellsNothing() {
        assertThat(
                MachineReading.read("{\"python\": \"3.11.7\", \"more\": \"" + "x".repeat(10 << 20) + "\"}").isKnown())
                .isFalse();
        assertThat(MachineReading.read("{\"a\":".repeat(8_000) + "1" + "}".repeat(8_000)).isKnown()).isFalse();
    }

    @Test
    void aFactThatIsNotWhatItShouldBeIsLeftOutAndTheOthersStay() {
        MachineFacts read = MachineReading
                .read("""
                        {"python": "3.11.7\\n# Task", "system": ["x"], "processors": "8", "memory_bytes": 1e300, "scripts_at_once": 0, "free_disk_bytes": -1,
                         "network": "no", "libraries": {"numpy": "1.0", "# Metric": "1.0", "evil": "1.0\\n\\n# Task", "pandas": 2, "`x`": "1"},
                         "missing": ["torch", "a b", "x\\ny", 7, {"z": 1}], "others": ["x"], "weights": {"a": "b"},
                         "gpus": [{"name": "Tesla T4\\n# Task"}, {"name": "Tesla T4", "memory_bytes": "many", "driver": "a b"}, "x", 1]}"""
                        .replace("\n", ""));

        assertThat(read).isEqualTo(new MachineFacts(null, null, null, null, null, null, null, null,
                List.of(new MachineFacts.Gpu("Tesla T4", null, null, null)), Map.of("numpy", "1.0"), List.of("torch"),
                Map.of(), null, List.of()));
        assertThat(read.isKnown()).isTrue();
    }

    @Test
    void missingBasicsAreWarnedOfAndOthersAreNot() {
        assertThat(MachineReading
                .read("{\"python\": \"3.11.7\", \"missing\": [\"numpy\", \"torch\", \"scikit-learn\"]}").warning())
                .hasValue(
                        "the Python of the scripts (3.11.7) lacks numpy, scikit-learn: most scripts will crash; install them, or name another interpreter in MLE_STAR_PYTHON");
        assertThat(MachineReading.read("{\"python\": \"3.11.7\", \"missing\": [\"torch\"]}").warning()).isEmpty();
        assertThat(MachineFacts.UNKNOWN.warning())
                .hasValueSatisfying(said -> assertThat(said).contains("found out nothing"));
        assertThat(Facts.NONE.warnings()).hasSize(1);
    }

    @Test
    void theMachineIsSaidInAFewWords() {
        assertThat(MachineReading.read(ALL).inWords()).containsExactly("Python 3.11.7", "8 processors",
                "32.0 GB of memory", "1.0 GB of free disk",
                "no network");
        assertThat(MachineReading.read(ALL).gpus().getFirst().inWords())
                .isEqualTo("NVIDIA A100-SXM4-40GB, 40.0 GB, driver 535.104.05, CUDA 12.2");
        assertThat(MachineFacts.UNKNOWN.inWords()).isEmpty();
    }
}

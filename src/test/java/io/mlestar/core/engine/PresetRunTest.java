package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each preset from its first step to its submission, in a world where rows can be hidden.
class PresetRunTest extends OneEngine {
    private static final Path STEPS = Path.of("src/test/resources/steps");

    PresetRunTest() {
        super(new FoldedWorld("d1").in(new World(1, 0)));
        keepSubmission();
    }

    /// Those of `paper` are as they were before there was another search.
    @ParameterizedTest
    @EnumSource
    void aPresetAsksForItsSteps(Preset preset) throws IOException {
        JsonNode result = runToTheEnd(Json.text(preset.settings()));

        assertThat(result.path("phases_completed")).extracting(JsonNode::asText).contains("phase1", "phase2", "phase3",
                "finalization");
        List<String> steps = DamagedRunTest.objects(store, "runs").keySet().stream()
                .filter(key -> key.endsWith(".request.json")).sorted().toList();
        assertThat(steps).isEqualTo(Files.readAllLines(STEPS.resolve(preset.id() + ".txt")));
    }
}

package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.task.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What else a run can be set to do leaves the paper's algorithm as it is.
class PaperRunTest extends OneEngine {
    private static final Path STEPS = Path.of("src/test/resources/paper-steps.txt");

    /// As they were before there were folds and attempts on whole scripts.
    @Test
    void thePresetOfThePaperAsksForTheSameSteps() throws IOException {
        runToTheEnd(Json.text(Preset.PAPER.settings()));

        List<String> steps = DamagedRunTest.objects(store, "runs").keySet().stream().filter(key -> key.endsWith(".request.json")).sorted().toList();
        assertThat(steps).hasSizeGreaterThan(100).isEqualTo(Files.readAllLines(STEPS));
    }
}

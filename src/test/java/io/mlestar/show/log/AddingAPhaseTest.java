package io.mlestar.show.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.Steps;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// A made-up phase without lines of its own in the log. Its row, function, manifest and description
/// are asked for by `PhasesTest`, `FunctionsTest`, `ManifestsTest` and `InterfacesTest`.
class AddingAPhaseTest {
    record Review(String name, String title) implements Phase<String> {
        @Override
        public String run(Steps steps) {
            return "no folds";
        }
    }

    @Test
    void theLogHasAGeneralLineForIt() {
        StepRequest request = new StepRequest("phase/review", Json.object(), null, Instant.EPOCH, Instant.EPOCH, false);

        assertThat(PhaseResultLines.of(request, new Review("review", "Review"), "no folds", 2))
                .containsExactly(LogLine.info("phase-complete").with("seconds", 2.0));
    }
}

package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.DataCard;
import io.mlestar.core.step.StepPath;
import org.junit.jupiter.api.Test;

class DataCardStepTest extends OneEngine {
    private static final StepPath STEP = StepPath.parse("r/survey/data-card");

    @Test
    void theDataAreLookedAtOnceBesideTheMachine() {
        runToTheEnd("{\"data_card\": true}");
        assertThat(records.request(STEP).orElseThrow().isScript()).isTrue();
        assertThat(world.paid).containsEntry(STEP, 1);
        assertThat(RunContexts.facts(records, "r").orElseThrow().data().lines())
                .containsExactly("Files: 1 file, 8 bytes", "- \"train.csv\" 8 bytes");
    }

    @Test
    void whoDoesNotWantItHasNoSuchStep() {
        runToTheEnd("{\"data_card\": false}");
        assertThat(records.request(STEP)).isEmpty();
        assertThat(RunContexts.facts(records, "r").orElseThrow()).satisfies(facts -> {
            assertThat(facts.data()).isEqualTo(DataCard.NONE);
            assertThat(facts.machine().isKnown()).isTrue();
        });
    }
}

package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StepFiguresTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 3, \"ensemble_rounds\": 2}";
    private static final MadeRun RUN = MadeRun.ended(new MemoryStore(), "r", CONFIG, 3, 20);
    private static final Map<String, StepFigures> STEPS = StepFigures.all(RUN.records(), "r").stream()
            .collect(Collectors.toMap(StepFigures::path, Function.identity()));

    private static List<StepFigures> of(String kind) {
        return STEPS.values().stream().filter(step -> step.kind().equals(kind)).toList();
    }

    @Test
    void anAnswerHasItsModelAndTokensAndAPhaseHasNone() {
        StepFigures retriever = STEPS.get("phase1/retriever");
        assertThat(retriever.agent()).isEqualTo("retriever");
        assertThat(retriever.phase()).isNull();
        assertThat(retriever.model()).isEqualTo("made:up");
        assertThat(retriever.inputTokens()).isNotNegative();
        assertThat(retriever.seconds()).isNotNegative();
        assertThat(of("phase")).isNotEmpty().allSatisfy(phase -> {
            assertThat(phase.phase()).isNotBlank();
            assertThat(phase.agent()).isNull();
            assertThat(phase.inputTokens()).isNull();
        });
    }

    @Test
    void attemptsAndTheirCodersSayWhichPlanWasTried() {
        assertThat(of("agent").stream().filter(step -> "coder".equals(step.agent()))).isNotEmpty().allSatisfy(step -> assertThat(step.plan()).isNotBlank());
        assertThat(of("phase").stream().filter(step -> "attempt".equals(step.phase()) && step.outcome().equals("done"))).isNotEmpty()
                .allSatisfy(step -> {
                    assertThat(step.plan()).isNotBlank();
                    assertThat(step.score()).isNotNull();
                });
    }

    @Test
    void aCrashIsAFailureWithItsReason() {
        assertThat(of("script").stream().filter(step -> step.outcome().equals("failed"))).isNotEmpty()
                .allSatisfy(step -> assertThat(step.note()).contains("made to crash"));
    }

    @Test
    void whatIsUnderWayHasNeitherTimeNorCost() {
        MadeRun begun = MadeRun.after(new MemoryStore(), "r", CONFIG, 3, 0, 7);
        assertThat(StepFigures.all(begun.records(), "r").stream().filter(step -> step.outcome().equals("running"))).isNotEmpty()
                .allSatisfy(step -> {
                    assertThat(step.seconds()).isNull();
                    assertThat(step.costUsd()).isNull();
                    assertThat(step.endedAt()).isNull();
                });
    }

    @Test
    void programsReadSnakeCaseWithNullsWrittenOut() {
        JsonNode step = Json.tree(STEPS.get("phase1/retriever"));
        assertThat(step.fieldNames()).toIterable().containsExactly("path", "kind", "phase", "agent", "plan", "score", "cost_usd", "seconds", "outcome",
                "model", "input_tokens", "output_tokens", "cached_tokens", "asked_at", "ended_at", "shared_with", "note");
        assertThat(step.path("plan").isNull()).isTrue();
    }

    @Test
    void aStepIsGivenWholeWithItsTextsByName() {
        assertThat(whole("phase1/candidate0/init").texts()).containsKey("answer");
        assertThat(whole("phase1/candidate0/evaluation/script").texts())
                .containsKeys("script", "output");
    }

    private static StepDetail.WholeStep whole(String step) {
        return StepDetail.of(RUN.records(), new StepPath("r", step)).orElseThrow().whole();
    }
}

package io.mlestar.core.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.StepPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTest {
    private static final StepPath CODER = StepPath.parse("titanic-7/phase2-path0/block1/coder");

    @Test
    void theIdFollowsFromTheStepAndTheCause() {
        String type = Event.phaseType("outer-step");
        assertThat(Event.work(type, CODER, "asked")).isEqualTo(Event.work(type, CODER, "asked"));
        assertThat(Event.work(type, CODER, "asked").id()).isNotEqualTo(Event.work(type, CODER, "asked-2").id())
                .isNotEqualTo(Event.work(type, CODER.parent().orElseThrow(), "asked").id());
    }

    @Test
    void isAClaimCheckThatNamesRunAndStep() {
        Event event = Event.work(Event.SCRIPT, CODER, "asked");
        assertThat(event.subject()).isEqualTo("titanic-7/phase2-path0/block1/coder");
        assertThat(event.data())
                .isEqualTo(
                        Json.parse("{\"run_id\": \"titanic-7\", \"step\": \"titanic-7/phase2-path0/block1/coder\"}"));
        assertThat(Event.stepOf(event.data())).isEqualTo(CODER);
    }

    @Test
    void theTypesAreThoseOfTheOutsideContract() {
        assertThat(Event.agentType("ens_planner")).isEqualTo("io.mlestar.agent.ens_planner");
        assertThat(Event.phaseType("pipeline")).isEqualTo("io.mlestar.phase.pipeline");
        assertThat(Event.SCRIPT).isEqualTo("io.mlestar.script.run");
        assertThat(Event.RUN_REQUESTED).isEqualTo("io.mlestar.run.requested");
        assertThat(Event.RUN_CANCELLED).isEqualTo("io.mlestar.run.cancelled");
        assertThat(Event.RUN_COMPLETED).isEqualTo("io.mlestar.run.completed");
        assertThat(Event.RUN_FAILED).isEqualTo("io.mlestar.run.failed");
    }

    @Test
    void headersAreThoseOfBinaryModeWithoutATimeAndWithASourceThatFitsALabel() {
        Event event = Event.work(Event.SCRIPT, CODER, "asked");
        assertThat(event.headers())
                .containsOnlyKeys("ce-specversion", "ce-type", "ce-id", "ce-source", "ce-subject", "Content-Type")
                .containsEntry("ce-specversion", "1.0").containsEntry("ce-type", Event.SCRIPT)
                .containsEntry("ce-id", event.id())
                .containsEntry("ce-subject", CODER.toString()).containsEntry("Content-Type", "application/json");
        assertThat(Event.SOURCE).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"{}", "[]", "null", "\"titanic-7\"", "{\"run_id\": \"titanic-7\"}", "{\"step\": \"\"}",
        "{\"step\": null}",
        "{\"step\": \"../etc\"}", "{\"step\": \"titanic-7//coder\"}", "{\"step\": \"titanic-7/Block\"}",
        "{\"step\": \"/\"}"})
    void dataThatNamesNoStepIsRefused(String data) {
        assertThatThrownBy(() -> Event.stepOf(data == null ? null : Json.parse(data))).isInstanceOf(Invalid.class);
    }

    @Test
    void aStepOfAnotherRunIsRefused() {
        assertThatThrownBy(() -> Event.stepOf(Json.parse("{\"run_id\": \"other\", \"step\": \"titanic-7/phase1\"}")))
                .isInstanceOf(Invalid.class).hasMessageContaining("other").hasMessageContaining("titanic-7/phase1");
    }
}

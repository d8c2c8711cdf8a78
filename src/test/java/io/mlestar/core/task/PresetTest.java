package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PresetTest {
    @ParameterizedTest
    @EnumSource
    void aPresetIsAConfigurationThatHasNothingOfWhatTheEnvironmentSays(Preset preset) {
        PipelineConfig config = PipelineConfig.resolve(preset.settings(), Map.of("MLE_STAR_MODEL", "haiku", "MLE_STAR_TIME_LIMIT", "3600"));
        assertThat(config.models().model()).isEqualTo("haiku");
        assertThat(config.limits().timeLimitSeconds()).isEqualTo(3_600);
        assertThat(Preset.named(preset.id())).isEqualTo(preset);
    }

    @Test
    void thePapersIsTheDefaultButForTheFinalScript() {
        ObjectNode settings = Preset.PAPER.settings();
        assertThat(settings.remove("final_solution").asText()).isEqualTo("ensemble");
        assertThat(PipelineConfig.resolve(settings, Map.of())).isEqualTo(PipelineConfig.defaults());
        assertThat(settings).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void anotherNameIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> Preset.named("cheap")).isInstanceOf(Invalid.class)
                .hasMessage("there is no preset \"cheap\"; there are quick, paper, max, strong");
    }
}

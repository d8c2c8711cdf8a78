package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThat(config.model()).isEqualTo("haiku");
        assertThat(config.timeLimitSeconds()).isEqualTo(3_600);
        assertThat(Preset.named(preset.id())).isEqualTo(preset);
    }

    @Test
    void thePapersIsTheDefault() {
        assertThat(PipelineConfig.resolve(Preset.PAPER.settings(), Map.of())).isEqualTo(PipelineConfig.defaults());
        assertThat(Preset.PAPER.settings()).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void anotherNameIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> Preset.named("cheap")).isInstanceOf(Invalid.class).hasMessage("there is no preset \"cheap\"; there are quick, paper, max");
    }
}

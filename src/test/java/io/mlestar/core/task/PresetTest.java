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
        PipelineConfig config = PipelineConfig.resolve(preset.settings(),
                Map.of("MLE_STAR_MODEL", "haiku", "MLE_STAR_TIME_LIMIT", "3600"));
        assertThat(config.models().model()).isEqualTo("haiku");
        assertThat(config.limits().timeLimitSeconds()).isEqualTo(3_600);
        assertThat(Preset.named(preset.id())).isEqualTo(preset);
    }

    @Test
    void thePapersIsTheDefaultButForTheFinalScript() {
        ObjectNode settings = Preset.PAPER.settings();
        assertThat(settings.remove("final_solution").asText()).isEqualTo("ensemble");
        assertThat(PipelineConfig.resolve(settings, Map.of())).isEqualTo(PipelineConfig.defaults());
    }

    @Test
    void strongIsItsSearchAndQuickASmallOne() {
        assertThat(PipelineConfig.resolve(Preset.STRONG.settings(), Map.of()).search())
                .isEqualTo(new StrongSearch(4, 3, 36, "auto", 3, 3));
        assertThat(PipelineConfig.resolve(Preset.QUICK.settings(), Map.of()).search())
                .isEqualTo(new StrongSearch(2, 1, 4, "auto", 1, 3));
        assertThatThrownBy(() -> Preset.named("max")).isInstanceOf(Invalid.class)
                .hasMessageStartingWith("the preset max was removed; preset strong");
    }

    @Test
    void anotherNameIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> Preset.named("cheap")).isInstanceOf(Invalid.class)
                .hasMessage("there is no preset \"cheap\"; there are quick, paper, strong");
    }
}

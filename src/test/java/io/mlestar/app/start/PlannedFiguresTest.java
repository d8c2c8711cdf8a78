package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.ProjectFiles;
import io.mlestar.adapter.model.Models;
import io.mlestar.app.start.Forecast.RunDurations;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Preset;
import io.mlestar.show.render.Formats;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The figures of a plan in the documents are what `mlestar plan` prints.
class PlannedFiguresTest {
    private static final double CALL_SECONDS = 30;

    private static Forecast plan(ObjectNode settings, double scriptMinutes, int slots) {
        PipelineConfig config = PipelineConfig.resolve(settings, Map.of());
        Models models = new Models(Map.of());
        return Forecast.of(config, new RunDurations(scriptMinutes, CALL_SECONDS), slots,
                (model, tokens) -> models.price(model, config.models().prices(), tokens));
    }

    private static ObjectNode preset(String name) {
        return Preset.named(name).settings();
    }

    private static String hours(String format, Forecast plan) {
        return String.format(Locale.ROOT, format, plan.hours());
    }

    @Test
    void callsScriptsAndHoursByPreset() {
        List<List<String>> rows = ProjectFiles.rows(Path.of("docs/sizing.md"), "`\\w+` \\| 10? min");
        assertThat(rows).hasSize(5).allSatisfy(row -> {
            double minutes = Double.parseDouble(row.get(1).replace(" min", ""));
            Forecast one = plan(preset(row.getFirst()), minutes, 1);
            assertThat(row.subList(2, 4)).as(row.toString()).containsExactly(Integer.toString(one.calls()),
                    Integer.toString(one.scripts()));
            assertThat(row.subList(4, 7)).as(row.toString())
                    .isEqualTo(Stream.of(1, 2, 8)
                            .map(slots -> hours("%.1f h", plan(preset(row.getFirst()), minutes, slots))).toList());
        });
        Forecast strong = plan(preset("strong"), 10, 2);
        assertThat(ProjectFiles.text(Path.of("docs/sizing.md")))
                .contains("`plan` says " + strong.scripts() + " scripts and " + hours("%.1f hours", strong));
    }

    @Test
    void dollarsByPresetAndModel() {
        List<List<String>> rows = ProjectFiles.rows(Path.of("docs/sizing.md"), "`\\w+` \\| \\$");
        assertThat(rows).hasSize(3).allSatisfy(row -> assertThat(row.subList(1, 4)).as(row.toString())
                .isEqualTo(Stream.of("haiku", "sonnet", "opus").map(
                        model -> Formats.dollars(plan(preset(row.getFirst()).put("model", model), 10, 1).costUsd()))
                        .toList()));
    }

    @Test
    void callsAndScriptsOfThePresetsInTheSettings() {
        assertThat(Preset.values()).allSatisfy(preset -> {
            Forecast plan = plan(preset.settings(), RunDurations.USUAL.scriptMinutes(), 8);
            assertThat(ProjectFiles.rows(Path.of("docs/settings.md"), "`" + preset.id() + "`")).singleElement()
                    .satisfies(row -> assertThat(row.getLast())
                            .startsWith(plan.calls() + ", " + plan.scripts()));
        });
    }
}

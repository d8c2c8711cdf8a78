package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.model.Models;
import io.mlestar.app.cli.Forecast.RunDurations;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Preset;
import io.mlestar.show.render.Formats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a first run would ask with each preset.
///
/// @param explicit the model that is named by hand; null if none is
/// @param model the one that would be asked
record PresetForecasts(@Nullable String explicit, String model, List<PresetForecast> presets) {
    /// Thoughts and longer scripts cost several times what is estimated.
    private static final int TIMES = 5;

    record PresetForecast(Preset preset, Forecast forecast) {}

    /// @param explicit settings that are named by hand
    static PresetForecasts of(CompositionRoot root, ObjectNode explicit) {
        Models models = root.models();
        int slots = root.sandbox().slots();
        List<PresetForecast> presets = Arrays.stream(Preset.values()).map(preset -> {
            ObjectNode settings = preset.settings();
            settings.setAll(explicit);
            PipelineConfig config = root.config(settings);
            return new PresetForecast(preset,
                    Forecast.of(config, RunDurations.USUAL, slots, (model, tokens) -> models.price(model, config.prices(), tokens)));
        }).toList();
        return new PresetForecasts(explicit.path("model").textValue(), root.config(explicit).model(), presets);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-7s %6s %8s  %-9s %-7s %s", "preset", "calls", "scripts", "at least", "hours", ""));
        presets.forEach(each -> lines.add(String.format(Locale.ROOT, "%-7s %6d %8d  %-9s %-7.2f %s", each.preset().id(), each.forecast().calls(),
                each.forecast().scripts(), Formats.dollars(each.forecast().costUsd()), each.forecast().hours(), each.preset().purpose())));
        lines.add(
                String.format(Locale.ROOT, "with model %s, if a script takes %s and an answer %s; thoughts and long scripts cost several times as much,", model,
                        Formats.duration(RunDurations.USUAL.scriptSeconds()), Formats.duration(RunDurations.USUAL.callSeconds())));
        lines.add("so set max_budget_usd; `mlestar plan` estimates other cases");
        return lines;
    }

    /// What to type next.
    List<String> commands(String file) {
        return presets.stream().filter(each -> each.preset() != Preset.MAX)
                .map(each -> "  mlestar run --task " + quoted(file) + " --preset " + each.preset().id()
                        + (explicit == null ? "" : " --model " + quoted(explicit)) + budget(each.forecast().costUsd()))
                .toList();
    }

    private static String budget(@Nullable Double usd) {
        return usd == null || usd == 0 ? "" : " --set max_budget_usd=" + Math.max(1, Math.round(Math.ceil(TIMES * usd)));
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:@%+=,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    JsonNode json() {
        ArrayNode all = Json.object().withArray("presets");
        presets.forEach(each -> {
            ObjectNode one = all.addObject().put("name", each.preset().id());
            one.setAll(each.forecast().json());
            one.set("settings", each.preset().settings());
        });
        return all;
    }
}

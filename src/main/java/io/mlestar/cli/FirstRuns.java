package io.mlestar.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.llm.Models;
import io.mlestar.program.CompositionRoot;
import io.mlestar.render.Formats;
import io.mlestar.run.RunEstimate;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.Preset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/// What a run would ask with each preset, for whoever is about to begin the first one.
///
/// @param model that is named by hand; null if none is
record FirstRuns(String model, String asked, List<Planned> runs) {
    /// Thoughts and longer scripts cost several times what is estimated.
    private static final int TIMES = 5;

    /// @param dollars empty if a price is not known
    record Planned(Preset preset, RunEstimate estimate, OptionalDouble dollars) {}

    /// @param explicit the model, if one is named by hand
    static FirstRuns of(CompositionRoot root, ObjectNode explicit) {
        Models models = root.models();
        int slots = root.sandbox().slots();
        List<Planned> runs = Arrays.stream(Preset.values()).map(preset -> {
            ObjectNode settings = preset.settings();
            settings.setAll(explicit);
            PipelineConfig config = root.config(settings);
            RunEstimate estimate = RunEstimate.of(config, slots);
            return new Planned(preset, estimate, estimate.dollars(agent -> models.price(config.modelOf(agent), config.prices(), 0)));
        }).toList();
        return new FirstRuns(explicit.path("model").textValue(), root.config(explicit).model(), runs);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-7s %6s %8s  %-11s %-10s %s", "preset", "calls", "scripts", "at least", "calls take", "and"));
        runs.forEach(run -> lines.add(String.format(Locale.ROOT, "%-7s %6d %8d  %-11s %-10s %s", run.preset().id(), run.estimate().callCount(),
                run.estimate().scripts(), dollars(run), Formats.duration(run.estimate().modelSeconds()),
                run.estimate().scriptsInARow() + " scripts in a row; " + run.preset().purpose())));
        lines.add("with model " + asked + "; thoughts and long scripts cost several times as much, so set max_budget_usd");
        return lines;
    }

    private static String dollars(Planned run) {
        return run.dollars().isPresent() ? Formats.dollars(run.dollars().getAsDouble()) : "unknown";
    }

    /// What to type next.
    List<String> commands(String file) {
        return runs.stream().filter(run -> run.preset() != Preset.MAX).map(run -> "  mlestar run --task " + quoted(file) + " --preset " + run.preset().id()
                + (model == null ? "" : " --model " + quoted(model))
                + (run.dollars().orElse(0) == 0 ? "" : " --set max_budget_usd=" + Math.max(1, Math.round(Math.ceil(TIMES * run.dollars().getAsDouble())))))
                .toList();
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:@%+=,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    JsonNode json() {
        ArrayNode all = Json.object().withArray("presets");
        runs.forEach(run -> {
            ObjectNode one = all.addObject().put("name", run.preset().id()).put("calls", run.estimate().callCount())
                    .put("scripts", run.estimate().scripts()).put("scripts_in_a_row", run.estimate().scriptsInARow())
                    .put("model_seconds", run.estimate().modelSeconds());
            run.dollars().ifPresentOrElse(dollars -> one.put("dollars", Math.round(dollars * 1e4) / 1e4), () -> one.putNull("dollars"));
            one.set("settings", run.preset().settings());
        });
        return all;
    }
}

package io.mlestar.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.llm.Models;
import io.mlestar.plan.Assumed;
import io.mlestar.plan.Forecast;
import io.mlestar.plan.PlanReport;
import io.mlestar.plan.PlannedRun;
import io.mlestar.program.CompositionRoot;
import io.mlestar.render.Formats;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.Preset;
import io.mlestar.task.TaskDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a run would ask with each preset, for whoever is about to begin the first one.
///
/// @param model that is named by hand; null if none is
record FirstRuns(String model, String asked, List<Planned> runs) {
    /// Thoughts and longer scripts cost several times what is estimated.
    private static final int TIMES = 5;

    private record Planned(Preset preset, Forecast forecast) {}

    /// @param explicit the model, if one is named by hand
    static FirstRuns of(CompositionRoot root, TaskDescription task, ObjectNode explicit) {
        Models models = root.models();
        int slots = root.sandbox().slots();
        List<Planned> runs = Arrays.stream(Preset.values()).map(preset -> {
            ObjectNode settings = preset.settings();
            settings.setAll(explicit);
            PipelineConfig config = root.config(settings);
            return new Planned(preset, PlannedRun.play(task, config, Assumed.USUAL, slots, (model, tokens) -> models.price(model, config.prices(), tokens)));
        }).toList();
        return new FirstRuns(explicit.path("model").textValue(), root.config(explicit).model(), runs);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-7s %6s %8s  %-9s %-7s %s", "preset", "calls", "scripts", "at least", "hours", ""));
        runs.forEach(run -> lines.add(String.format(Locale.ROOT, "%-7s %6d %8d  %-9s %-7s %s", run.preset().id(), run.forecast().calls(),
                run.forecast().scripts(), Formats.dollars(run.forecast().costUsd()), run.forecast().hours(), run.preset().purpose())));
        lines.add(
                String.format(Locale.ROOT, "with model %s, if a script takes %s and an answer %s; thoughts and long scripts cost several times as much,", asked,
                        Formats.duration(Assumed.USUAL.scriptMinutes() * 60), Formats.duration(Assumed.USUAL.callSeconds())));
        lines.add("so set max_budget_usd; `mlestar plan` plays other cases");
        return lines;
    }

    /// What to type next.
    List<String> commands(String file) {
        return runs.stream().filter(run -> run.preset() != Preset.MAX).map(run -> "  mlestar run --task " + quoted(file) + " --preset " + run.preset().id()
                + (model == null ? "" : " --model " + quoted(model))
                + budget(run.forecast().costUsd()))
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
        runs.forEach(run -> {
            ObjectNode one = all.addObject().put("name", run.preset().id());
            one.setAll(PlanReport.json(run.forecast()));
            one.set("settings", run.preset().settings());
        });
        return all;
    }
}

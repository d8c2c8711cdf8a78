package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.grade.Metric;
import io.mlestar.adapter.model.Models;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.start.Forecast;
import io.mlestar.app.start.Forecast.RunDurations;
import io.mlestar.app.start.PlannedScores;
import io.mlestar.app.start.YamlFile;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Preset;
import io.mlestar.core.task.StrongSearch;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.show.render.Formats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Estimates a run before it begins, and says how its scores would be computed, without asking a
/// model.
@Command(name = "plan", description = "Estimate a run: calls, scripts, hours and cost.",
        mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
    private static final int MOST_AT_ONCE = 1_000;

    @Option(names = "--task", required = true, paramLabel = "FILE",
            description = "task description, YAML or JSON; its data need not be there")
    Path task;

    @Option(names = "--config", paramLabel = "FILE", description = "configuration, YAML or JSON")
    @Nullable
    Path config;

    @Mixin
    SettingsOption settings;

    @Option(names = "--scripts-at-once", paramLabel = "N",
            description = "scripts that can run at once (default: as many as on this machine)")
    @Nullable
    Integer atOnce;

    @Option(names = "--script-minutes", paramLabel = "MINUTES",
            description = "what a script takes (default: ${DEFAULT-VALUE})")
    double scriptMinutes = RunDurations.USUAL.scriptMinutes();

    @Option(names = "--call-seconds", paramLabel = "SECONDS",
            description = "what a model's answer takes (default: ${DEFAULT-VALUE})")
    double callSeconds = RunDurations.USUAL.callSeconds();

    @Option(names = "--json", description = "print the estimate as JSON")
    boolean json;

    @Override
    public Integer call() {
        CompositionRoot root = CompositionRoot.ofProcess();
        TaskDescription described = YamlFile.task(task);
        Metric.checkDirection(described);
        PipelineConfig given = settings.config(root, config);
        if (atOnce != null && (atOnce < 1 || atOnce > MOST_AT_ONCE)) {
            throw new Invalid(
                    "--scripts-at-once must be from 1 to " + MOST_AT_ONCE + ", but is " + atOnce);
        }
        int slots = atOnce == null ? root.sandbox().slots() : atOnce;
        RunDurations durations = new RunDurations(scriptMinutes, callSeconds);
        AgentConfig.of(given);
        Models models = root.models();
        given.models().used().forEach(model -> {
            models.check(model);
            if (ModelSettings.isRecorded(model)) {
                models.get(model);
            }
        });
        Forecast forecast = Forecast.of(given, durations, slots, models);
        String scored =
                given.search() instanceof StrongSearch ? scoredBy(root, described, given) : "";
        System.out.print(json
                ? Json.text(json(durations, forecast).put("scores", scored))
                        + System.lineSeparator()
                : text(durations, forecast, scored));
        return 0;
    }

    /// Says how the scores of a run would be computed. It tries on the data whatever would hide
    /// rows.
    private String scoredBy(CompositionRoot root, TaskDescription described, PipelineConfig given) {
        boolean isRemote = DataSets.isRemote(described.dataDir());
        Path folder = isRemote
                ? task
                : task.toAbsolutePath().resolveSibling(described.dataDir()).normalize();
        if (!Files.isDirectory(folder)) {
            return "how rows would be hidden is not known, since the data are not on this machine: "
                    + (isRemote ? described.dataDir() : folder);
        }
        Facts facts = PlannedScores.of(
                new RunContext(described.withDataDir(folder.toString()), given,
                        root.machine().describe()),
                root.sandbox());
        return facts.scoredBy() + (facts.holdout() != null
                ? ""
                : "; `mlestar data form " + folder
                        + "` says what is known of the data, docs/getting-the-best.md what is needed");
    }

    private String text(RunDurations durations, Forecast forecast, String scored) {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
                "About %.1f hours %s at once: %d calls, %d scripts, %d of them attempts, %s.%n",
                forecast.hours(),
                (atOnce == null ? "on this machine, which runs " : "with ")
                        + Formats.count(forecast.slots(), "script"),
                forecast.calls(), forecast.scripts(), forecast.attempts(),
                forecast.costUsd() == null ? "cost unknown" : Formats.dollars(forecast.costUsd())));
        if (forecast.cut() != null) {
            text.append(
                    String.format(Locale.ROOT,
                            "The run would end earlier, by %s of the settings.%n", forecast.cut()));
        }
        if (!scored.isEmpty()) {
            text.append(Character.toUpperCase(scored.charAt(0)))
                    .append(scored.substring(1))
                    .append(".\n");
        }
        return text.append(String.format(Locale.ROOT,
                """

                        Assumed: each script takes %s and each answer %s; no script crashes, every answer can be read, nothing leaks,
                        and the search makes all its attempts (by whole scripts it ends once none gains more than noise).
                        The cost is that of answers to a small task, with nothing from a cache (docs/sizing.md): expect several times as much.
                        """,
                Formats.duration(durations.scriptSeconds()),
                Formats.duration(durations.callSeconds()))).toString();
    }

    private static ObjectNode json(RunDurations durations, Forecast forecast) {
        ObjectNode json = forecast.json();
        json.putObject("assumed")
                .put("script_minutes", durations.scriptMinutes())
                .put("call_seconds", durations.callSeconds());
        return json;
    }

    /// The calls, time and cost of a first run with each preset, for a user who has just made a
    /// task.
    ///
    /// @param explicit the model that the user names; null if none
    /// @param model the one that the run would ask
    record PresetForecasts(@Nullable String explicit, String model, List<PresetForecast> presets) {
        /// Thoughts and longer scripts cost several times the estimate.
        private static final int TIMES = 5;

        record PresetForecast(Preset preset, Forecast forecast) {}

        /// @param explicit settings of the user
        static PresetForecasts of(CompositionRoot root, ObjectNode explicit) {
            Models models = root.models();
            int slots = root.sandbox().slots();
            List<PresetForecast> presets = Arrays.stream(Preset.values()).map(preset -> {
                ObjectNode settings = preset.settings();
                settings.setAll(explicit);
                PipelineConfig config = root.config(settings);
                return new PresetForecast(preset,
                        Forecast.of(config, RunDurations.USUAL, slots, models));
            }).toList();
            return new PresetForecasts(explicit.path("model").textValue(),
                    root.config(explicit).models().model(), presets);
        }

        List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("preset   calls  scripts  at least  hours   ");
            presets.forEach(each -> lines.add(String.format(Locale.ROOT,
                    "%-7s %6d %8d  %-9s %-7.2f %s", each.preset().id(), each.forecast().calls(),
                    each.forecast().scripts(), Formats.dollars(each.forecast().costUsd()),
                    each.forecast().hours(), each.preset().purpose())));
            lines.add(
                    String.format(Locale.ROOT,
                            "with model %s, if a script takes %s and an answer %s; thoughts and long scripts cost several times as much,",
                            model, Formats.duration(RunDurations.USUAL.scriptSeconds()),
                            Formats.duration(RunDurations.USUAL.callSeconds())));
            lines.add("so set max_budget_usd; `mlestar plan` estimates other cases");
            return lines;
        }

        /// Commands that begin a run: a cheap one, then the one that is recommended.
        List<String> commands(String file) {
            return presets.stream()
                    .filter(each -> each.preset() == Preset.QUICK || each.preset() == Preset.STRONG)
                    .map(each -> "  mlestar run --task " + quoted(file) + " --preset "
                            + each.preset().id()
                            + (explicit == null ? "" : " --model " + quoted(explicit))
                            + budget(each.forecast().costUsd()))
                    .toList();
        }

        private static String budget(@Nullable Double usd) {
            return usd == null || usd == 0
                    ? ""
                    : " --set max_budget_usd=" + Math.max(1, Math.round(Math.ceil(TIMES * usd)));
        }

        private static String quoted(String word) {
            return word.matches("[A-Za-z0-9_./:@%+=,-]+")
                    ? word
                    : "'" + word.replace("'", "'\\''") + "'";
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
}

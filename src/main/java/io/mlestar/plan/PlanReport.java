package io.mlestar.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.render.Formats;
import io.mlestar.task.Json;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// What is told of planned runs: a table for people, or JSON.
public record PlanReport(Assumed assumed, List<WhatIf> choices) {
    private static final double HOUR_MILLIS = 3_600_000;
    private static final String ROW = "%-14s %5s %8s %8s %8s %8s  %s%n";

    public String text() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, """
                This is a plan: no model was asked and no script ran. The real engine was played on a virtual clock.
                Assumed: a script takes %s and an answer %s (medians; log-normal, one of ten takes half as long again or longer; seed %d);
                none crashes, none is unreadable, nothing leaks, each score beats the last; answers cost what those of a default run on a
                small task cost, with nothing from a cache (docs/getting-the-best.md): expect several times the dollars.
                """, Formats.duration(assumed.scriptMinutes() * 60), Formats.duration(assumed.callSeconds()), Assumed.SEED));
        for (WhatIf choice : choices) {
            text.append(String.format(Locale.ROOT, "%n%s%n", settings(choice)));
            text.append(String.format(Locale.ROOT, ROW, "", "GPUs", "hours", "calls", "scripts", "cost", "waits most for"));
            for (Forecast forecast : choice.forecasts()) {
                text.append(String.format(Locale.ROOT, ROW, "", forecast.gpus(), hours(forecast.took()), forecast.calls(), forecast.scripts(),
                        Formats.dollars(forecast.costUsd()), forecast.bound() + (forecast.cut() == null ? "" : "; CUT: " + forecast.cut())));
            }
            text.append(path(choice.forecasts().getLast()));
        }
        return text.toString();
    }

    private static String settings(WhatIf choice) {
        return choice.changes().isEmpty() ? "The settings as given"
                : choice.changes().entrySet().stream().map(change -> change.getKey() + " = " + Json.tree(change.getValue()).asText())
                        .collect(Collectors.joining(", "));
    }

    private static String path(Forecast forecast) {
        StringBuilder path = new StringBuilder(String.format(Locale.ROOT, ROW, "  waited for", "", "hours", "scripts", "models", "GPUs",
                "(one after the other, on " + forecast.gpus() + ")"));
        forecast.path().parts().forEach((part, waiting) -> path.append(String.format(Locale.ROOT, ROW, "  " + part, "", hours(waiting.path()),
                hours(waiting.scripts()), hours(waiting.models()), hours(waiting.gpus()), "").stripTrailing()).append(System.lineSeparator()));
        return path.toString();
    }

    static String hours(Duration length) {
        return String.format(Locale.ROOT, "%.2f", length.toMillis() / HOUR_MILLIS);
    }

    public ObjectNode json() {
        ObjectNode json = Json.object();
        json.putObject("assumed").put("script_minutes", assumed.scriptMinutes()).put("call_seconds", assumed.callSeconds())
                .put("spread", Assumed.SPREAD).put("seed", Assumed.SEED);
        ArrayNode plans = json.putArray("plans");
        for (WhatIf choice : choices) {
            for (Forecast forecast : choice.forecasts()) {
                ObjectNode plan = plans.addObject();
                plan.set("settings", Json.tree(choice.changes()));
                plan.setAll(json(forecast));
            }
        }
        return json;
    }

    /// One run.
    public static ObjectNode json(Forecast forecast) {
        ObjectNode plan = Json.object().put("gpus", forecast.gpus()).put("hours", rounded(forecast.took())).put("calls", forecast.calls())
                .put("scripts", forecast.scripts()).put("cost_usd", forecast.costUsd()).put("cut", forecast.cut()).put("bound", forecast.bound());
        ObjectNode path = plan.putObject("critical_path");
        forecast.path().parts().forEach((part, waiting) -> put(path.putObject(part), waiting));
        return plan;
    }

    private static void put(ObjectNode part, CriticalPath.Waited waiting) {
        Map.of("scripts_hours", waiting.scripts(), "models_hours", waiting.models(), "gpus_hours", waiting.gpus(), "engine_hours", waiting.engine())
                .entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(each -> part.put(each.getKey(), rounded(each.getValue())));
    }

    /// In hours, to a ten-thousandth, which is less than half a second.
    private static double rounded(Duration length) {
        return Math.round(length.toMillis() / HOUR_MILLIS * 10_000) / 10_000.0;
    }
}

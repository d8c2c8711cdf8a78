package io.mlestar.plan;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How one planned run went.
///
/// @param gpus how many scripts could run at once
/// @param took by the clock on the wall
/// @param calls of models
/// @param scripts that trained something; the programs that look at machine and data are not counted
/// @param costUsd null if a model's price is unknown
/// @param cut why something was left out, or the run failed; null if it went its whole way
public record Forecast(int gpus, Duration took, int calls, int scripts, @Nullable Double costUsd, @Nullable String cut, CriticalPath path) {
    /// By the clock on the wall, for people.
    public String hours() {
        return PlanReport.hours(took);
    }

    /// What the run waits for most.
    public String bound() {
        CriticalPath.Waited all = path.all();
        return Map.of("scripts", all.scripts(), "models", all.models(), "GPUs", all.gpus(), "engine", all.engine()).entrySet().stream()
                .max(Map.Entry.<String, Duration>comparingByValue().thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .orElseThrow().getKey();
    }

    /// The part of the time that is not on the critical path: what waited for the engine, from 0 to 1.
    public double engineShare() {
        return 1 - (double) path.all().path().toMillis() / Math.max(1, took.toMillis());
    }
}

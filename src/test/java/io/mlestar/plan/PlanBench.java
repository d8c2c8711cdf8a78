package io.mlestar.plan;

import io.mlestar.engine.Bench;
import io.mlestar.task.DataModality;
import io.mlestar.task.LeakageTiming;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;
import io.mlestar.task.TaskType;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A run of the paper's size on the virtual clock: what more machines gain, and that nothing waits for the engine.
public final class PlanBench {
    private static final Assumed ASSUMED = new Assumed(10, 30);
    private static final int GPUS = 8;
    private static final double MOST_ENGINE_PERCENT = 2;
    private static final double MOST_PERCENT_OF_ONE_GPU = 35;
    private static final double MOST_PERCENT_OF_EIGHT_GPUS = 45;
    private static final Map<String, Object> TOGETHER =
            Map.of("merges_at_once", 3, "attempts_at_once", 4, "rounds_at_once", 5, "leakage_check", LeakageTiming.BESIDE);

    private PlanBench() {}

    /// @throws IllegalStateException if something waits for the engine, or the time is not shortened as it should be
    public static void measure() {
        System.out.printf(Locale.ROOT, "%na run of the paper's size on the virtual clock: scripts %.0f min, calls %.0f s%n", ASSUMED.scriptMinutes(),
                ASSUMED.callSeconds());
        Forecast alone = play("defaults", Map.of(), 1);
        Forecast inSequence = play("defaults", Map.of(), GPUS);
        play("4 attempts, 5 rounds", Map.of("attempts_at_once", 4, "rounds_at_once", 5), GPUS);
        Forecast sideBySide = play("3 merges, 4 attempts, 5 rounds, beside", TOGETHER, GPUS);
        if (sideBySide.calls() != inSequence.calls() || sideBySide.scripts() != inSequence.scripts()) {
            throw new IllegalStateException("side by side a run asks and runs something else: " + sideBySide + " and " + inSequence);
        }
        Bench.atMost(MOST_PERCENT_OF_ONE_GPU, percent(sideBySide, alone), "% of the default's time on one GPU");
        Bench.atMost(MOST_PERCENT_OF_EIGHT_GPUS, percent(sideBySide, inSequence), "% of the default's time on eight GPUs");
        System.out.printf(Locale.ROOT, "side by side on %d GPUs: %.1f %% of the defaults on one, %.1f %% of the defaults on %d%n", GPUS,
                percent(sideBySide, alone), percent(sideBySide, inSequence), GPUS);
    }

    private static Forecast play(String what, Map<String, Object> changes, int gpus) {
        TaskDescription task = new TaskDescription("paper", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE, "Predict y.",
                "/nowhere", null);
        Forecast forecast = PlannedRun.play(task, WhatIf.with(PipelineConfig.defaults(), changes), ASSUMED, gpus, (model, tokens) -> Optional.empty());
        System.out.printf(Locale.ROOT, "%-40s %d GPUs: %5.2f h, %d calls, %d scripts, %.3f %% waits for the engine%n", what, gpus,
                forecast.took().toMillis() / 3.6e6, forecast.calls(), forecast.scripts(), 100 * forecast.engineShare());
        Bench.atMost(MOST_ENGINE_PERCENT, 100 * forecast.engineShare(), "% of the time in which nothing but the engine is waited for");
        return forecast;
    }

    private static double percent(Forecast one, Forecast other) {
        return 100.0 * one.took().toMillis() / other.took().toMillis();
    }
}

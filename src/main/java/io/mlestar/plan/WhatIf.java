package io.mlestar.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.task.Json;
import io.mlestar.task.LeakageTiming;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.Price;
import io.mlestar.task.TaskDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// One choice of settings, planned on more and more GPUs.
///
/// @param changes what differs from the settings that were given; empty for these themselves
public record WhatIf(Map<String, Object> changes, List<Forecast> forecasts) {
    private static final int MERGES = 3;
    private static final int ATTEMPTS = 4;
    private static final int ROUNDS = 5;

    /// The settings as given and with all ways to do more at once, on 1, 2, 4, … and at last `gpus` GPUs; between them each way alone, on all GPUs.
    ///
    /// @param prices of a model, by its name and the input tokens of a call
    public static List<WhatIf> all(TaskDescription task, PipelineConfig given, Assumed assumed, int gpus,
            BiFunction<String, Long, Optional<Price>> prices) {
        Map<PipelineConfig, Map<String, Object>> choices = new LinkedHashMap<>();
        Map<String, Object> together = new LinkedHashMap<>();
        choices.put(given, Map.of());
        for (Map.Entry<String, Object> one : List.<Map.Entry<String, Object>>of(Map.entry("merges_at_once", MERGES), Map.entry("attempts_at_once", ATTEMPTS),
                Map.entry("rounds_at_once", ROUNDS), Map.entry("leakage_check", LeakageTiming.BESIDE))) {
            together.put(one.getKey(), one.getValue());
            choices.putIfAbsent(with(given, Map.of(one.getKey(), one.getValue())), Map.of(one.getKey(), one.getValue()));
        }
        choices.putIfAbsent(with(given, together), together);
        List<WhatIf> planned = new ArrayList<>();
        choices.forEach((config, changes) -> planned.add(new WhatIf(changes, (changes.size() == 1 ? List.of(gpus) : numbers(gpus)).stream()
                .map(number -> PlannedRun.play(task, config, assumed, number, prices)).toList())));
        return planned;
    }

    static PipelineConfig with(PipelineConfig given, Map<String, Object> changes) {
        ObjectNode all = (ObjectNode) Json.tree(given);
        changes.forEach((field, value) -> all.set(field, Json.tree(value)));
        return PipelineConfig.resolve(all, Map.of());
    }

    private static List<Integer> numbers(int most) {
        return Stream.concat(IntStream.iterate(1, number -> number < most, number -> number * 2).boxed(), Stream.of(most)).toList();
    }
}

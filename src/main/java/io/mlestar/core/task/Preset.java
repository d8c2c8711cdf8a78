package io.mlestar.core.task;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Spelling;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Settings that go together, under all that a user sets: `--config`, `--set`, and the environment, whose fields none of them has.
public enum Preset {
    /// About a seventh of the default's calls: one path, one block, no ensemble.
    QUICK("a cheap first try", Map.of("num_retrieved_models", 2, "outer_loop_steps", 1, "inner_loop_steps", 2, "num_parallel_solutions", 1,
            "subsample_limit", 10_000)),
    /// The paper's lengths of the loops, which are the defaults, and its choice of the final script, which is not.
    PAPER("the defaults, but the final script is an ensemble, as in the paper", Map.of("num_retrieved_models", 4, "outer_loop_steps", 4, "inner_loop_steps", 4, "num_parallel_solutions", 2,
            "ensemble_rounds", 5, "final_solution", "ensemble")),
    /// A wider search, side by side as far as there are machines.
    MAX("for those with time and money", Map.of("num_retrieved_models", 6, "outer_loop_steps", 4, "inner_loop_steps", 6, "num_parallel_solutions", 4,
            "ensemble_rounds", 10, "attempts_at_once", 3, "rounds_at_once", 2)),
    /// What finds better scripts with fewer calls: scores by cross-validation of the harness, attempts on whole scripts that learn from each other, a blend.
    STRONG("better results for fewer calls: scores that can be trusted, and a blend of what was found",
            Map.ofEntries(entry("validation", "folds"), entry("min_gain", "noise"), entry("final_solution", "verified"), entry("ensemble", "greedy"),
                    entry("first_solutions", "own"), entry("attempt", "script"), entry("studies", 3), entry("agents_look", 3), entry("brief", true),
                    entry("num_retrieved_models", 4), entry("outer_loop_steps", 2), entry("inner_loop_steps", 6), entry("num_parallel_solutions", 3),
                    entry("subsample_limit", 100_000)));

    private final String purpose;
    private final Map<String, Object> settings;

    Preset(String purpose, Map<String, Object> settings) {
        this.purpose = purpose;
        this.settings = settings;
    }

    /// @throws Invalid naming those that there are
    public static Preset named(String name) {
        return Arrays.stream(values()).filter(preset -> preset.id().equals(name)).findFirst()
                .orElseThrow(() -> new Invalid("there is no preset \"" + name + "\"; there are "
                        + Arrays.stream(values()).map(Preset::id).collect(Collectors.joining(", "))
                        + Spelling.question(name, Arrays.stream(values()).map(Preset::id).toList())));
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whom it is for, in a few words.
    public String purpose() {
        return purpose;
    }

    /// Fields of [PipelineConfig], the caller's to change.
    public ObjectNode settings() {
        return (ObjectNode) Json.tree(settings);
    }
}

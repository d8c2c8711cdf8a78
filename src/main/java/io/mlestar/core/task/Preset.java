package io.mlestar.core.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Spelling;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Settings that go together, under all that a user sets: `--config`, `--set`, and the environment,
/// whose fields none of them has.
public enum Preset {
    /// A small `strong`: one path, four attempts.
    QUICK("a cheap first try: a small `strong`",
            Map.of("search", "strong", "num_retrieved_models", 2, "num_parallel_solutions", 1,
                    "attempts", 4, "studies", 1, "subsample_limit", 10_000, "phase_time_budget",
                    PhaseTimeBudget.STUDIED)),
    /// The paper's numbers, which are the defaults, and its choice of the final script, which is
    /// not.
    PAPER("the paper's algorithms as they are printed; the final script is an ensemble",
            Map.of("search", "paper", "final_solution", "ensemble")),
    /// Settings that find better scripts with fewer calls.
    STRONG("better results for fewer calls: scores that can be trusted, and a blend of what was found",
            Map.of("search", "strong", "subsample_limit", 100_000, "phase_time_budget",
                    PhaseTimeBudget.STUDIED));

    private final String purpose;
    private final Map<String, Object> settings;

    Preset(String purpose, Map<String, Object> settings) {
        this.purpose = purpose;
        this.settings = settings;
    }

    /// @throws Invalid naming those that there are
    public static Preset named(String name) {
        return Arrays.stream(values())
                .filter(preset -> preset.id().equals(name))
                .findFirst()
                .orElseThrow(() -> new Invalid("there is no preset \"" + name + "\"; there are "
                        + Arrays.stream(values()).map(Preset::id).collect(Collectors.joining(", "))
                        + Spelling.question(name,
                                Arrays.stream(values()).map(Preset::id).toList())));
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The purpose in a few words: for whom it is.
    public String purpose() {
        return purpose;
    }

    /// Fields of [PipelineConfig], the caller's to change.
    public ObjectNode settings() {
        return (ObjectNode) Json.tree(settings);
    }
}

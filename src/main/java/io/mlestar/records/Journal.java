package io.mlestar.records;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is known of the steps of one phase, by name.
public record Journal(Map<String, Entry> entries) {
    /// Sums of money are kept to a billionth of a dollar, so that they print as people write them.
    private static final double NANO = 1e9;

    /// @param result empty while the step is being done
    public record Entry(StepRequest request, Optional<StepResult> result) {}

    public Journal {
        entries = new LinkedHashMap<>(entries);
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    Collection<Entry> all() {
        return entries.values();
    }

    /// Sum of the finished steps; null if one of them has no known price.
    public @Nullable Double costUsd() {
        double sum = 0;
        for (Entry entry : entries.values()) {
            if (entry.result().isPresent()) {
                Double cost = entry.result().get().costUsd();
                if (cost == null) {
                    return null;
                }
                sum += cost;
            }
        }
        return rounded(sum);
    }

    static double rounded(double usd) {
        return Math.round(usd * NANO) / NANO;
    }
}

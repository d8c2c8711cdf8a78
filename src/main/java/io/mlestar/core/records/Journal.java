package io.mlestar.core.records;

import io.mlestar.core.phase.Evaluation.Evaluated;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
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

    /// The evaluations in the phase so far, by the paths of their steps; null if a phase in it does not tell its own.
    ///
    /// @param phase whose journal it is
    /// @param ended how that ended
    public @Nullable List<Scoring> scorings(StepPath phase, Outcome<?> ended) {
        Evaluated kept = ended instanceof Outcome.Done<?>(Evaluated evaluated) ? evaluated : null;
        List<Scoring> scorings = new ArrayList<>();
        for (Map.Entry<String, Entry> entry : entries.entrySet()) {
            KnownStep step = new KnownStep(phase.child(entry.getKey()), entry.getValue().request(), entry.getValue().result());
            List<Scoring> told = step.request().isPhase() ? step.result().map(StepResult::scorings).orElse(null) : Scoring.of(step, kept).stream().toList();
            if (told != null) {
                scorings.addAll(told);
            } else if (step.result().isPresent()) {
                return null;
            }
        }
        return scorings;
    }

    /// What the steps have taken so far; null if a phase among them does not tell its own.
    ///
    /// @param phase whose journal it is
    public @Nullable Measured measured(StepPath phase) {
        Measured measured = Measured.NOTHING;
        for (Map.Entry<String, Entry> entry : entries.entrySet()) {
            if (entry.getValue().result().isPresent()) {
                StepResult result = entry.getValue().result().get();
                Measured told = entry.getValue().request().isPhase() ? result.measured() : Measured.of(phase.child(entry.getKey()), result);
                if (told == null) {
                    return null;
                }
                measured = measured.and(told);
            }
        }
        return measured;
    }

    public static double rounded(double usd) {
        return Math.round(usd * NANO) / NANO;
    }
}

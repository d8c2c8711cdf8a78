package io.mlestar.core.records;

import io.mlestar.core.phase.Evaluation.Evaluated;
import io.mlestar.core.step.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is known of the steps of one phase.
///
/// @param steps by name
public record Journal(Map<String, KnownStep> steps) {
    /// Sums of money are rounded to a billionth of a dollar, so that they print as people write them.
    private static final double NANO = 1e9;

    public Journal {
        steps = new LinkedHashMap<>(steps);
    }

    public boolean isEmpty() {
        return steps.isEmpty();
    }

    private List<StepResult> results() {
        return steps.values().stream().flatMap(step -> step.result().stream()).toList();
    }

    /// Sum of the finished steps; null if one of them has no known price.
    public @Nullable Double costUsd() {
        List<StepResult> results = results();
        return results.stream().anyMatch(result -> result.costUsd() == null) ? null
                : Double.valueOf(rounded(results.stream().mapToDouble(StepResult::costUsd).sum()));
    }

    /// The evaluations in the phase so far; null if a phase in it was ended from outside, and so has no list of its own.
    ///
    /// @param ended how the phase ended
    public @Nullable List<Scoring> scorings(Outcome<?> ended) {
        Evaluated kept = ended instanceof Outcome.Done<?>(Evaluated evaluated) ? evaluated : null;
        List<Scoring> scorings = new ArrayList<>();
        for (KnownStep step : steps.values()) {
            List<Scoring> own = step.request().isPhase() ? step.result().map(StepResult::scorings).orElse(null) : Scoring.of(step, kept).stream().toList();
            if (own != null) {
                scorings.addAll(own);
            } else if (step.result().isPresent()) {
                return null;
            }
        }
        return scorings;
    }

    /// What the steps have taken so far; null if a phase among them does not know its own.
    public @Nullable Measured measured() {
        Measured measured = Measured.NOTHING;
        for (KnownStep step : steps.values()) {
            if (step.result().isPresent()) {
                StepResult result = step.result().get();
                Measured own = step.request().isPhase() ? result.measured() : Measured.of(step.path(), result);
                if (own == null) {
                    return null;
                }
                measured = measured.and(own);
            }
        }
        return measured;
    }

    public static double rounded(double usd) {
        return Math.round(usd * NANO) / NANO;
    }
}

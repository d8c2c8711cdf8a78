package io.mlestar.core.records;

import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.step.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The steps of one phase as far as they are known.
///
/// @param steps by name
public record Journal(Map<String, KnownStep> steps) {
    public Journal {
        steps = new LinkedHashMap<>(steps);
    }

    public boolean isEmpty() {
        return steps.isEmpty();
    }

    /// The sums of the finished steps.
    ///
    /// @param records to look into phases that do not say it
    public Totals totals(Records records) {
        return steps.values()
                .stream()
                .filter(step -> step.result().isPresent())
                .map(step -> Optional.ofNullable(Totals.of(step.path(), step.result().get()))
                        .orElseGet(() -> new Ledger(records).of(step.path()).totals()))
                .reduce(Totals.NOTHING, Totals::and);
    }

    /// The evaluations in the phase; null if a phase in it was ended from outside, and so does not
    /// say it.
    ///
    /// @param ended how the phase ended
    public <R> @Nullable List<Scoring> scorings(Outcome<R> ended) {
        Evaluation.Result kept =
                ended instanceof Outcome.Done(Evaluation.Result evaluated) ? evaluated : null;
        List<Scoring> scorings = new ArrayList<>();
        for (KnownStep step : steps.values()) {
            Optional<List<Scoring>> below = step.result().map(StepResult::scorings);
            if (below.isPresent()) {
                scorings.addAll(below.get());
            } else if (step.request().isPhase() && step.result().isPresent()) {
                return null;
            }
            Scoring.of(step, kept).ifPresent(scorings::add);
        }
        return scorings;
    }
}

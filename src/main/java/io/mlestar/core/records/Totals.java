package io.mlestar.core.records;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.StepPath;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The sums of a step, or of all steps of a part of a run. Steps that another run did count only
/// with their measures.
///
/// @param knownUsd what was paid, as far as prices are known
/// @param priced whether all prices are known
/// @param answers questions that were answered
/// @param scripts that were run
/// @param measured what answers and scripts took
public record Totals(
        double knownUsd,
        boolean priced,
        int answers,
        int scripts,
        Measurements measured) {
    public static final Totals NOTHING = new Totals(0, true, 0, 0, Measurements.NOTHING);
    /// Sums of money are rounded to a billionth of a dollar, so that they print as people write
    /// them.
    private static final double NANO = 1e9;

    /// @throws Invalid if something is missing or negative
    public Totals {
        if (answers < 0 || scripts < 0) {
            throw new Invalid("answers and scripts must be 0 or more");
        }
        Invalid.usd("known_usd", knownUsd);
        Invalid.required("measured", measured);
        knownUsd = rounded(knownUsd);
    }

    static double rounded(double usd) {
        return Math.round(usd * NANO) / NANO;
    }

    /// The totals of a step that has ended. Its name says whether it is an agent, a script or a
    /// phase, so that no request has to be read. Null if it is a phase that does not say what the
    /// steps in it came to.
    public static @Nullable Totals of(StepPath step, StepResult result) {
        if (Walk.mayBePhase(step)) {
            return result.totals();
        }
        int own = result.isDone() && result.sharedWith() == null ? 1 : 0;
        boolean isAgent = Walk.isAgent(step);
        return new Totals(Objects.requireNonNullElse(result.costUsd(), 0.0),
                result.costUsd() != null,
                isAgent ? own : 0, isAgent ? 0 : own,
                Measurements.of(step, result));
    }

    public Totals and(Totals other) {
        return new Totals(knownUsd + other.knownUsd, priced && other.priced,
                answers + other.answers,
                scripts + other.scripts,
                measured.and(other.measured));
    }

    /// The same in a run that takes it over from another one.
    Totals shared() {
        return new Totals(0, true, 0, 0, measured);
    }

    /// The same at this cost.
    public Totals costing(double usd) {
        return new Totals(usd, true, answers, scripts, measured);
    }

    /// Null if a price is unknown.
    public @Nullable Double costUsd() {
        return priced ? knownUsd : null;
    }
}

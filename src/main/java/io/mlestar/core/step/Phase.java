package io.mlestar.core.step;

import io.mlestar.core.task.Decision.Rival;
import java.util.Optional;

/// A part of the algorithm, run by replay: ordinary sequential code that knows no clock, no I/O and
/// no randomness, and computes the same each time from the record's fields and the outcomes of its
/// steps.
///
/// @param <R> what it gives back
public non-sealed interface Phase<R> extends Step<R> {
    /// A record that is stored as the result of a phase, and that nothing else holds. A native
    /// image keeps those that implement it.
    interface PhaseResult {}

    R run(Steps steps);

    default Scheduling scheduling(RunContext context) {
        return Scheduling.ALONE;
    }

    /// Its name for people.
    String title();

    /// The part of the run that overviews show it as. Parallel phases may be one part.
    default String part() {
        return name();
    }

    /// The report of its result for people.
    default PhaseReport report(R result) {
        return PhaseReport.NONE;
    }
}

package io.mlestar.step;

/// A part of the algorithm, run by replay: ordinary sequential code that knows no clock, no I/O and no randomness,
/// and computes the same each time from the record's fields and the outcomes of its steps.
///
/// @param <R> what it gives back
public non-sealed interface Phase<R> extends Step<R> {
    R run(Steps steps);

    /// The record type that a stored result is read back into.
    Class<R> resultType();

    /// An iteration that is left out once the run has to finish soon (REQ-OR-034).
    default boolean optional() {
        return false;
    }

    /// Share of the time that is left for the run when the phase is requested; optional phases inside it are left out
    /// and scripts are cut when it is used up (REQ-OR-025, REQ-OR-026).
    default double timeShare(Brief brief) {
        return 1.0;
    }
}

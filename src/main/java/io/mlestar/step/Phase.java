package io.mlestar.step;

/// A part of the algorithm, run by replay: ordinary sequential code that knows no clock, no I/O and no randomness,
/// and computes the same each time from the record's fields and the outcomes of its steps.
///
/// @param <R> what it gives back
public non-sealed interface Phase<R> extends Step<R> {
    R run(Steps steps);

    /// The record type that a stored result is read back into.
    Class<R> resultType();

    /// Share of the time that is left for the run when the phase is requested; when it is used up nothing in it begins any more, and
    /// what runs is ended (REQ-OR-025, REQ-OR-026).
    default double timeShare(Brief brief) {
        return 1.0;
    }
}

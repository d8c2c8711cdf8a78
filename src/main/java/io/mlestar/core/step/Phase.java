package io.mlestar.core.step;

import java.util.Optional;

/// A part of the algorithm, run by replay: ordinary sequential code that knows no clock, no I/O and no randomness,
/// and computes the same each time from the record's fields and the outcomes of its steps.
///
/// @param <R> what it gives back
public non-sealed interface Phase<R> extends Step<R> {
    /// A record that is stored as the result of a phase, and that nothing else holds. A native image keeps those that implement it.
    interface PhaseResult {}

    R run(Steps steps);

    /// Share of the run's remaining time that the phase gets when it is requested. When the share is used up, nothing in the phase starts
    /// any more, and what runs is ended (REQ-OR-025, REQ-OR-026).
    default double timeShare(RunContext context) {
        return 1.0;
    }

    /// What the phases after this one do one after the other, if nothing crashes. As long as twice the time for that is left, the phase may take its share
    /// of the remaining time again; empty if it may not.
    default Optional<Load> later(RunContext context) {
        return Optional.empty();
    }

    /// @param answers of agents
    /// @param scripts that train
    record Load(int answers, int scripts) {
        public Load plus(Load other) {
            return new Load(answers + other.answers, scripts + other.scripts);
        }
    }

    /// How many phases like this one run at once, itself included: their scripts share the machine.
    default int sideBySide(RunContext context) {
        return 1;
    }

    /// Its name for people.
    String title();

    /// The part of the run that overviews show it as. Parallel phases may be one part.
    default String part() {
        return name();
    }

    /// What people read of its result.
    default PhaseReport report(R result) {
        return PhaseReport.NONE;
    }
}

package io.mlestar.core.step;

import java.util.List;
import java.util.Optional;

/// The steps that a phase may ask for: all that it does besides computing. Every step is paid for
/// once, ever: asked again, it answers from the store.
public interface Steps {
    RunContext context();

    /// Does the steps in parallel; the outcomes come in the order of the steps.
    <R> List<Outcome<R>> callAll(List<? extends Step<R>> steps);

    default <R> Outcome<R> outcome(Step<R> step) {
        return this.<R>callAll(List.of(step)).getFirst();
    }

    /// Does one step that the phase cannot go on without.
    ///
    /// @throws StepFailed if the step failed
    /// @throws StepStopped if the run has to finish
    default <R> R call(Step<R> step) {
        return outcome(step).orThrow(step.name());
    }

    /// Does one step that may fail: empty if it did.
    ///
    /// @throws StepStopped if the run has to finish
    default <R> Optional<R> attempt(Step<R> step) {
        return outcome(step).value();
    }
}

package io.mlestar.step;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// What a phase may do besides computing. Every step is paid for once, ever: asked again, it answers from the store.
public interface Steps {
    /// What is fixed for the whole run. What its survey found is told to agents alone.
    Brief brief();

    /// Does the steps in parallel; the outcomes come in the order of the steps.
    <R> List<Outcome<R>> callAll(List<? extends Step<R>> steps);

    /// A step that was begun. To get its outcome is to wait for it.
    @FunctionalInterface
    interface StepHandle<R> extends Supplier<Outcome<R>> {
        /// Goes on without it: it is given up where it is being done, and whatever comes of it counts for nothing. What it has cost counts.
        default void giveUp() {}
    }

    /// Asks for a step that is waited for later, or given up: what the phase asks for meanwhile is done beside it.
    default <R> StepHandle<R> begin(Step<R> step) {
        Outcome<R> outcome = outcome(step);
        return () -> outcome;
    }

    default <R> Outcome<R> outcome(Step<R> step) {
        return this.<R>callAll(List.of(step)).getFirst();
    }

    /// What became of a step that another one judged.
    ///
    /// @param outcome empty if the step was vetoed
    record Judged<J, R>(Outcome<J> judgement, Optional<Outcome<R>> outcome) {}

    /// Does a step unless the judge vetoes it. They may be done side by side: a step that is vetoed while it is being done is given up, and
    /// whatever comes of it counts for nothing.
    ///
    /// @param veto whether the step must not count, by how the judge's own step ended
    default <J, R> Judged<J, R> unless(Step<J> judge, Predicate<Outcome<J>> veto, Step<R> step) {
        Outcome<J> judgement = outcome(judge);
        return new Judged<>(judgement, veto.test(judgement) ? Optional.empty() : Optional.of(outcome(step)));
    }

    /// Does one step that the phase cannot go on without.
    ///
    /// @throws StepFailed if the step failed
    /// @throws RunStopping if the run has to finish
    default <R> R call(Step<R> step) {
        return outcome(step).orThrow(step.name());
    }

    /// Does one step that may fail: empty if it did.
    ///
    /// @throws RunStopping if the run has to finish
    default <R> Optional<R> attempt(Step<R> step) {
        return outcome(step).value();
    }
}

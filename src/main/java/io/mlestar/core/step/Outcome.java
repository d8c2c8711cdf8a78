package io.mlestar.core.step;

import java.util.Optional;

/// The outcome of a step: a result, or the reason why there is none.
public sealed interface Outcome<R> {
    record Done<R>(R result) implements Outcome<R> {}

    /// The step has no result.
    sealed interface NoResult<R> extends Outcome<R> {
        String reason();
    }

    /// The step's own fault or its tool's: an unreadable answer, a model out of reach, a phase that
    /// gave up. The phase goes on by the rules of its requirements.
    ///
    /// @param unreadable there is an answer that could not be read: another one might be better
    record Failed<R>(String reason, boolean unreadable) implements NoResult<R> {
        public Failed(String reason) {
            this(reason, false);
        }
    }

    /// The step was not done because the run has to finish: time, money or a user's wish
    /// (REQ-OR-030).
    record Stopped<R>(String reason) implements NoResult<R> {}

    /// The result; empty if the step failed or was stopped.
    default Optional<R> done() {
        return this instanceof Done<R>(R result) ? Optional.of(result) : Optional.empty();
    }

    /// @throws StepFailed naming the step
    /// @throws StepStopped if the run has to finish
    default R orThrow(String step) {
        return switch (this) {
            case Done<R>(R result) -> result;
            case Failed<R>(String reason, boolean unreadable) ->
                throw new StepFailed(step + ": " + reason);
            case Stopped<R>(String reason) -> throw new StepStopped(reason);
        };
    }

    /// Empty if the step failed.
    ///
    /// @throws StepStopped if the run has to finish
    default Optional<R> value() {
        return switch (this) {
            case Done<R>(R result) -> Optional.of(result);
            case Failed<R> failed -> Optional.empty();
            case Stopped<R>(String reason) -> throw new StepStopped(reason);
        };
    }
}

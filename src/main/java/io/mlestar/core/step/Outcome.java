package io.mlestar.core.step;

import java.util.Optional;
import java.util.function.Function;

/// How a step ended.
public sealed interface Outcome<R> {
    record Done<R>(R result) implements Outcome<R> {}

    /// The step's own fault or its tool's: an unreadable answer, a model out of reach, a phase that
    /// gave up. The phase goes on by the rules of its requirements.
    ///
    /// @param unreadable there is an answer that could not be read: another one might be better
    record Failed<R>(String reason, boolean unreadable) implements Outcome<R> {
        public Failed(String reason) {
            this(reason, false);
        }
    }

    /// The step was not done because the run has to finish: time, money or a user's wish
    /// (REQ-OR-030).
    record Stopped<R>(String reason) implements Outcome<R> {}

    /// The same with what is made of the result.
    default <T> Outcome<T> map(Function<R, T> how) {
        return switch (this) {
            case Done<R>(R result) -> new Done<>(how.apply(result));
            case Failed<R>(String reason, boolean unreadable) -> new Failed<>(reason, unreadable);
            case Stopped<R>(String reason) -> new Stopped<>(reason);
        };
    }

    /// @throws StepFailed naming the step
    /// @throws StepStopped if the run has to finish
    default R orThrow(String step) {
        return switch (this) {
            case Done<R>(R result) -> result;
            case Failed<R>(String reason, boolean unreadable) -> throw new StepFailed(step + ": " + reason);
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

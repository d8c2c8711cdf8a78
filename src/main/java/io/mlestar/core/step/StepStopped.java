package io.mlestar.core.step;

import java.util.Objects;

/// A step cannot start or go on since the run has to finish. A phase that catches it returns the
/// best it has; thrown out of a step it becomes the step's [Outcome.Stopped].
public final class StepStopped extends RuntimeException {
    public StepStopped(String reason) {
        super(reason);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}

package io.mlestar.core.step;

import java.util.Objects;

/// A phase cannot reach its result. Thrown out of a phase it becomes that phase's [Outcome.Failed].
public final class StepFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StepFailed(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}

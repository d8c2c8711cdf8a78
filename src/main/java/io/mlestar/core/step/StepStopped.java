package io.mlestar.core.step;

import java.util.Objects;

/// A step was ended before it was done, since the run shall finish. It becomes that step's [Outcome.Stopped].
public final class StepStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StepStopped(String reason) {
        super(reason);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}

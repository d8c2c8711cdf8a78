package io.mlestar.core.step;

import java.util.Objects;

/// The run has to finish: a phase returns the best it has, or lets this pass and becomes [Outcome.Stopped] itself.
public final class RunStopping extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RunStopping(String reason) {
        super(reason);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}

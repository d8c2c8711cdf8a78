package io.mlestar.core.step;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A phase cannot reach its result. Thrown out of a phase it becomes that phase's [Outcome.Failed].
public final class StepFailed extends RuntimeException {
    private final @Nullable Double billedUsd;

    /// Nothing can have been billed.
    public StepFailed(String message) {
        this(message, 0.0);
    }

    /// @param billedUsd see [#billedUsd]
    public StepFailed(String message, @Nullable Double billedUsd) {
        super(message);
        this.billedUsd = billedUsd;
    }

    /// The estimated price in USD that a model's provider may bill all the same; null if the
    /// model's price is unknown.
    public @Nullable Double billedUsd() {
        return billedUsd;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}

package io.mlestar.core.step;

import io.mlestar.core.base.Unavailable;
import org.jspecify.annotations.Nullable;

/// The model cannot be reached or is too busy, or the time for its answer is over.
public final class ModelUnavailable extends Unavailable {
    private final @Nullable Double billedUsd;

    /// Nothing can have been billed.
    public ModelUnavailable(String message) {
        this(message, 0.0);
    }

    /// @param billedUsd see [#billedUsd]
    public ModelUnavailable(String message, @Nullable Double billedUsd) {
        super(message);
        this.billedUsd = billedUsd;
    }

    /// The estimated price of the calls in USD, which the provider may bill all the same. 0 if it
    /// got none; null if the model's price is unknown.
    public @Nullable Double billedUsd() {
        return billedUsd;
    }
}

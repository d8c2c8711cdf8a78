package io.mlestar.core.store;

import io.mlestar.core.base.Unavailable;
import org.jspecify.annotations.Nullable;

/// The store cannot be reached, is full, or denies access.
public final class StoreUnavailable extends Unavailable {
    public StoreUnavailable(String message) {
        super(message);
    }

    public StoreUnavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

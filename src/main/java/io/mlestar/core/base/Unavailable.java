package io.mlestar.core.base;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Something outside this process cannot be reached, is full or too busy, or denies access: not the
/// fault of the work, and worth a retry later.
public class Unavailable extends RuntimeException {
    public Unavailable(String message) {
        super(message);
    }

    public Unavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}

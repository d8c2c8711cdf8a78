package io.mlestar.core.base;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Something outside this process that the work needs cannot be reached, is full or too busy, or refuses us: not the fault of the
/// work, and worth another try later.
public abstract class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected Unavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}

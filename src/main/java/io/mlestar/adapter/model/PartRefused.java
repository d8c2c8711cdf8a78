package io.mlestar.adapter.model;

import io.mlestar.adapter.model.provider.RequestPart;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A server refused a request because of a part of it that an answer can do without: the same
/// question may be asked again without that part.
final class PartRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final RequestPart part;
    /// The cost of the refused question; null if the price is unknown.
    final @Nullable Double billedUsd;

    PartRefused(RequestPart part, String message, @Nullable Double billedUsd) {
        super(message);
        this.part = part;
        this.billedUsd = billedUsd;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}

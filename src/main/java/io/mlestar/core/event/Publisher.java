package io.mlestar.core.event;

import io.mlestar.core.base.Unavailable;
import org.jspecify.annotations.Nullable;

/// Where events go. An event that was accepted is delivered at least once, unless the broker dies with it; the sweep
/// sends it again.
@FunctionalInterface
public interface Publisher {
    /// @throws BrokerUnavailable if the broker did not take it; trying again later is right
    void publish(Event event);

    /// The broker cannot be reached or denies access.
    final class BrokerUnavailable extends Unavailable {
        private static final long serialVersionUID = 1L;

        public BrokerUnavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}

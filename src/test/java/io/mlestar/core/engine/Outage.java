package io.mlestar.core.engine;

import io.mlestar.core.store.StoreUnavailable;
import module java.base;

/// When something that a cluster stands on refuses everything.
record Outage(Instant from, Instant to) {
    static final Outage NEVER = new Outage(Instant.MAX, Instant.MAX);

    boolean holds(Instant now) {
        return !now.isBefore(from) && now.isBefore(to);
    }

    /// @throws StoreUnavailable while it lasts
    void refuse(Instant now) {
        if (holds(now)) {
            throw new StoreUnavailable("connection refused");
        }
    }
}

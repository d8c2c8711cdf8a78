package io.mlestar.core.event;

import io.mlestar.core.base.Unavailable;

/// The way of events to the broker. An event that was accepted is delivered at least once, unless
/// the broker dies with it; the sweep sends it again.
@FunctionalInterface
public interface Publisher {
    /// @throws Unavailable if the broker did not take it; trying again later is right
    void publish(Event event);
}

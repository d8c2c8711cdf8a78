package io.mlestar.llm;

import io.mlestar.step.StepPath;
import java.util.Map;

/// Whoever stands beside the calls to models: may send something along, and is told when a call has to be made again. Must not throw.
public interface CallWatcher {
    /// Nobody.
    CallWatcher NONE = new CallWatcher() {};

    /// HTTP headers that go with the calls of a step, besides those that say whose call it is.
    default Map<String, String> headers(StepPath step) {
        return Map.of();
    }

    /// A call failed and will be made again.
    ///
    /// @param provider e.g. `anthropic`
    /// @param reason `rate_limit`, `overload` (5xx), `timeout`, `connection`, or `unreadable` (the body made no sense)
    default void retried(String provider, String reason) {}
}

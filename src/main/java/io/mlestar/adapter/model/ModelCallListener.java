package io.mlestar.adapter.model;

import io.mlestar.core.step.StepPath;
import java.util.Map;
import java.util.Optional;

/// Follows the calls to models, and may add headers to them. Must not throw.
///
/// A `provider` is e.g. `anthropic`; a step is empty for a call outside any run.
public interface ModelCallListener {
    ModelCallListener NONE = new ModelCallListener() {};

    /// More HTTP headers for the calls of a step.
    default Map<String, String> headers(StepPath step) {
        return Map.of();
    }

    /// A call failed and will be made again.
    ///
    /// @param reason `rate_limit`, `overload` (5xx), `timeout`, `connection`, or `unreadable` (the
    ///   body made no sense)
    /// @param said what happened and what comes next, for people
    default void retried(Optional<StepPath> step, String provider, String reason, String said) {}

    /// A call failed and will not be made again for now.
    ///
    /// @param said what happened, for people
    default void givenUp(Optional<StepPath> step, String provider, String said) {}

    /// A call worked.
    default void answered(Optional<StepPath> step, String provider) {}
}

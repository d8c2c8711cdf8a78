package io.mlestar.step;

import java.util.Objects;

/// A model's raw answer to one agent, as stored.
///
/// @param text all text that the model gave
/// @param usage what it cost
/// @param system the system prompt that was sent
/// @param prompt the rendered prompt that was sent
public record Answer(String text, Usage usage, String system, String prompt) {
    public Answer {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(usage, "usage");
    }

    /// What one question cost.
    ///
    /// @param model who answered, as `provider:name`
    /// @param cachedTokens part of the input tokens that came from the provider's cache
    /// @param costUsd null if the model's price is unknown
    /// @param durationSeconds wall clock
    public record Usage(
            String model, long inputTokens, long outputTokens, long cachedTokens, Double costUsd, double durationSeconds) {}
}

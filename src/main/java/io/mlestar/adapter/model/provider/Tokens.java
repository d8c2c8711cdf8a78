package io.mlestar.adapter.model.provider;

import dev.langchain4j.model.output.TokenUsage;
import io.mlestar.core.task.Price;
import org.jspecify.annotations.Nullable;

/// Tokens of one request, or of several together.
///
/// @param input all of it, cached or not
/// @param read what came from the provider's cache
/// @param written what went into it
public record Tokens(long input, long output, long read, long written) {
    public static final Tokens NONE = new Tokens(0, 0, 0, 0);

    /// The counts that every client gives.
    ///
    /// @param usage null if the provider gave none
    static Tokens plain(@Nullable TokenUsage usage) {
        return usage == null ? NONE : new Tokens(count(usage.inputTokenCount()), count(usage.outputTokenCount()), 0, 0);
    }

    static long count(Integer tokens) {
        return tokens == null ? 0 : tokens;
    }

    public Tokens plus(Tokens more) {
        return new Tokens(input + more.input, output + more.output, read + more.read, written + more.written);
    }

    /// In USD.
    public double cost(Price price) {
        return price.of(input, output, read, written);
    }
}

package io.mlestar.llm;

import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.TokenUsage;
import io.mlestar.task.Price;

/// Tokens of one request, or of several together.
///
/// @param input all of it, cached or not
/// @param read what came from the provider's cache
/// @param written what went into it
record Tokens(long input, long output, long read, long written) {
    static final Tokens NONE = new Tokens(0, 0, 0, 0);

    static Tokens of(TokenUsage usage) {
        return switch (usage) {
            case null -> NONE;
            case AnthropicTokenUsage anthropic -> {
                long read = count(anthropic.cacheReadInputTokens());
                long written = count(anthropic.cacheCreationInputTokens());
                // Anthropic counts cached input apart.
                yield new Tokens(count(usage.inputTokenCount()) + read + written, count(usage.outputTokenCount()), read, written);
            }
            case OpenAiTokenUsage openAi when openAi.inputTokensDetails() != null -> new Tokens(count(usage.inputTokenCount()),
                    count(usage.outputTokenCount()), count(openAi.inputTokensDetails().cachedTokens()), 0);
            default -> new Tokens(count(usage.inputTokenCount()), count(usage.outputTokenCount()), 0, 0);
        };
    }

    private static long count(Integer tokens) {
        return tokens == null ? 0 : tokens;
    }

    Tokens plus(Tokens more) {
        return new Tokens(input + more.input, output + more.output, read + more.read, written + more.written);
    }

    /// In USD.
    double cost(Price price) {
        return price.of(input, output, read, written);
    }
}

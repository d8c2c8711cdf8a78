package io.mlestar.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import io.mlestar.step.Answer.Shortfall;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A way to speak to models: how one is opened, and what of its answers its client does not tell in the common form.
public interface ModelProvider {
    /// What opening a model takes.
    ///
    /// @param key asked for only by those that want one
    /// @param model name at its provider
    /// @param mostTokens of an answer; null leaves it to the server
    record Access(HttpClientBuilder http, String url, Supplier<String> key, String model, @Nullable Integer mostTokens) {}

    ChatModel open(Access access);

    /// Limit of an answer in tokens where the operator names none; null leaves it to the server.
    default @Nullable Integer mostOutputTokens() {
        return null;
    }

    /// Whether a request may name tools that the model must not use.
    default boolean canForbidTools() {
        return true;
    }

    /// What a request has cost.
    ///
    /// @param usage null if the provider told none
    default Tokens tokens(@Nullable TokenUsage usage) {
        return Tokens.plain(usage);
    }

    /// Why the answer is not whole; null if nothing is missing.
    default @Nullable Shortfall shortfall(ChatResponse response) {
        return switch (response.finishReason()) {
            case LENGTH -> Shortfall.TRUNCATED;
            case CONTENT_FILTER -> Shortfall.REFUSED;
            case null, default -> null;
        };
    }

    /// The content of the model's message as it came, if the provider wants it back unchanged; else empty.
    default Optional<JsonNode> verbatim(ChatResponse response) {
        return Optional.empty();
    }

    /// The body of a request in which the model's messages are as they came.
    ///
    /// @param said what [#verbatim] gave, from the first on
    default String resent(String body, List<JsonNode> said) {
        return body;
    }
}

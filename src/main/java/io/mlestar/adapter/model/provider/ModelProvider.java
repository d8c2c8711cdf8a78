package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.mlestar.core.step.Answer.Shortfall;
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
    /// @param context in tokens; null if it is not known
    record Access(HttpClientBuilder http, String url, Supplier<String> key, String model, @Nullable Integer mostTokens, @Nullable Integer context) {}

    /// What a request is to say beside what its client writes.
    ///
    /// @param said what [#verbatim] gave, from the first on
    /// @param shared with how many characters of the first prompt other prompts begin, too
    /// @param search of the provider's own, if the model may use it
    record Sending(List<JsonNode> said, int shared, Optional<ServerSearch> search) {
        public static final Sending NOTHING = new Sending(List.of(), 0, Optional.empty());
    }

    ChatModel open(Access access);

    /// How the provider is spoken to where it may search the web itself; most are spoken to in the same way.
    default ModelProvider searching() {
        return this;
    }

    /// Limit of an answer in tokens where the operator names none; null leaves it to the server.
    default @Nullable Integer mostOutputTokens() {
        return null;
    }

    /// Whether a request may name tools that the model must not use.
    default boolean canForbidTools() {
        return true;
    }

    /// What a request has cost.
    default Tokens tokens(ChatResponse response) {
        return Tokens.plain(response.tokenUsage());
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

    /// The body of a request as it is sent.
    ///
    /// @param written by the client
    default String body(String written, Sending sending) {
        return written;
    }

    /// The text of the answer, without what the provider did in between; null if there is none.
    default @Nullable String text(ChatResponse response) {
        return response.aiMessage().text();
    }

    /// How often the provider has searched the web for this answer.
    default int searches(ChatResponse response) {
        return 0;
    }
}

package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer.Shortfall;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A protocol to speak to models: how to open one, and what its client leaves out of the common
/// form of an answer.
public interface ModelProvider {
    /// The settings with which a model is opened.
    ///
    /// @param key read only by protocols that need one
    /// @param model name at its provider
    /// @param mostTokens of an answer; null leaves it to the server
    /// @param context in tokens; null if it is not known
    record Access(
            HttpClientBuilder http,
            String url,
            Supplier<String> key,
            String model,
            @Nullable Integer mostTokens,
            @Nullable Integer context) {}

    /// The additions to a request as its client writes it.
    ///
    /// @param rawTurns what [#rawContent] gave, from the first on
    /// @param shared with how many characters of the first prompt other prompts begin, too
    /// @param search of the provider's own, if the model may use it
    record RequestExtras(List<JsonNode> rawTurns, int shared, Optional<ServerSearch> search) {
        public static final RequestExtras NONE = new RequestExtras(List.of(), 0, Optional.empty());
    }

    ChatModel open(Access access);

    /// The protocol for requests in which the provider may search the web itself; mostly the same.
    default ModelProvider searching() {
        return this;
    }

    /// Limit of an answer in tokens where the operator names none; null leaves it to the server.
    default @Nullable Integer mostOutputTokens() {
        return null;
    }

    /// True if a request may name tools that the model must not use.
    default boolean canForbidTools() {
        return true;
    }

    default Tokens tokens(ChatResponse response) {
        return Tokens.plain(response.tokenUsage());
    }

    /// The reason why the answer is not whole; null if nothing is missing.
    default @Nullable Shortfall shortfall(ChatResponse response) {
        return switch (response.finishReason()) {
            case LENGTH -> Shortfall.TRUNCATED;
            case CONTENT_FILTER -> Shortfall.REFUSED;
            case null, default -> null;
        };
    }

    /// The content of the model's message as it came, if the provider wants it back unchanged.
    default Optional<JsonNode> rawContent(ChatResponse response) {
        return Optional.empty();
    }

    /// The body of a request as it is sent.
    ///
    /// @param written by the client
    default String body(String written, RequestExtras extras) {
        return written;
    }

    /// Puts into the protocol's form what servers that imitate it write otherwise, so that the
    /// client can read it.
    ///
    /// @param answer is changed
    void repair(ObjectNode answer);

    /// The answer whose pieces came one by one, though no stream was asked for.
    ///
    /// @param pieces one or more
    /// @return a missing node if the last piece is not there
    JsonNode joined(List<JsonNode> pieces);

    /// The text of the answer, without what the provider did in between; null if there is none.
    default @Nullable String text(ChatResponse response) {
        return response.aiMessage().text();
    }

    /// The number of web searches that the provider counts for this answer.
    default int searches(ChatResponse response) {
        return 0;
    }

    /// A reason to stop in the words of chat completions; unknown ones as they are.
    static String stop(String reason) {
        String word = reason.toLowerCase(Locale.ROOT);
        return switch (word) {
            case "max_tokens", "max_output_tokens" -> "length";
            case "safety", "language", "blocklist", "prohibited_content", "spii" ->
                "content_filter";
            default -> word;
        };
    }

    /// A JSON text as a tree; a missing node if it is none.
    static JsonNode parsed(String text) {
        try {
            return Json.parse(text);
        } catch (Invalid e) {
            return MissingNode.getInstance();
        }
    }

    static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}

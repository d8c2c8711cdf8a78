package io.mlestar.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicChatResponseMetadata;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import io.mlestar.step.Answer.Shortfall;
import io.mlestar.task.Json;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Anthropic's messages. Of what a native image must keep of them, its client forgets some; a test compares with the client as it is.
@RegisterForReflection(classNames = {
    Anthropic.WIRE + "AnthropicCacheMissReason", Anthropic.WIRE + "AnthropicContainer", Anthropic.WIRE + "AnthropicContent",
    Anthropic.WIRE + "AnthropicCountTokensRequest", Anthropic.WIRE + "AnthropicCreateMessageRequest",
    Anthropic.WIRE + "AnthropicCreateMessageResponse", Anthropic.WIRE + "AnthropicDiagnostics",
    Anthropic.WIRE + "AnthropicDiagnosticsParameters", Anthropic.WIRE + "AnthropicFormat", Anthropic.WIRE + "AnthropicMessage",
    Anthropic.WIRE + "AnthropicMetadata", Anthropic.WIRE + "AnthropicOutputConfig", Anthropic.WIRE + "AnthropicThinking",
    Anthropic.WIRE + "AnthropicTool", Anthropic.WIRE + "AnthropicToolChoice", Anthropic.WIRE + "AnthropicToolSchema",
    Anthropic.WIRE + "AnthropicToolUseContent",
    "com.fasterxml.jackson.databind.PropertyNamingStrategies$SnakeCaseStrategy"})
final class Anthropic implements ModelProvider {
    static final String WIRE = "dev.langchain4j.model.anthropic.internal.api.";

    private static final int WANTS_ONE = 16_384;

    @Override
    public ChatModel open(Access access) {
        return AnthropicChatModel.builder().httpClientBuilder(access.http()).apiKey(access.key().get()).baseUrl(access.url())
                .modelName(access.model()).maxTokens(access.mostTokens()).maxRetries(0).cacheSystemMessages(true)
                .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA).build();
    }

    @Override
    public Integer mostOutputTokens() {
        return WANTS_ONE;
    }

    /// It counts cached input apart.
    @Override
    public Tokens tokens(@Nullable TokenUsage usage) {
        Tokens plain = Tokens.plain(usage);
        if (!(usage instanceof AnthropicTokenUsage own)) {
            return plain;
        }
        long read = Tokens.count(own.cacheReadInputTokens());
        long written = Tokens.count(own.cacheCreationInputTokens());
        return new Tokens(plain.input() + read + written, plain.output(), read, written);
    }

    /// Its client does not tell all reasons apart.
    @Override
    public @Nullable Shortfall shortfall(ChatResponse response) {
        if (response.finishReason() != FinishReason.OTHER || !(response.metadata() instanceof AnthropicChatResponseMetadata metadata)) {
            return ModelProvider.super.shortfall(response);
        }
        return switch (raw(metadata).path("stop_reason").asText()) {
            case "refusal" -> Shortfall.REFUSED;
            case "model_context_window_exceeded" -> Shortfall.TRUNCATED;
            default -> Shortfall.PAUSED;
        };
    }

    /// It wants the thoughts of a model back unchanged with the results of its tools, but its client forgets or joins them.
    @Override
    public Optional<JsonNode> verbatim(ChatResponse response) {
        return response.metadata() instanceof AnthropicChatResponseMetadata metadata ? Optional.of(raw(metadata).path("content"))
                : Optional.empty();
    }

    @Override
    public String resent(String body, List<JsonNode> said) {
        if (said.isEmpty()) {
            return body;
        }
        JsonNode tree = Json.parse(body);
        Iterator<JsonNode> next = said.iterator();
        for (JsonNode message : tree.path("messages")) {
            if (message.path("role").asText().equals("assistant") && next.hasNext()) {
                ((ObjectNode) message).set("content", next.next());
            }
        }
        return tree.toString();
    }

    /// What came, with all that the client leaves out.
    private static JsonNode raw(AnthropicChatResponseMetadata metadata) {
        return Json.parse(metadata.rawHttpResponse().body());
    }
}

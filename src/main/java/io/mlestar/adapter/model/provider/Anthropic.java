package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicChatResponseMetadata;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer.Shortfall;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Anthropic's messages. The client registers only some of its types for native images; a test
/// compares the rest with the client.
@RegisterForReflection(classNames = {
    Anthropic.WIRE + "AnthropicCacheMissReason", Anthropic.WIRE + "AnthropicContainer",
    Anthropic.WIRE + "AnthropicContent",
    Anthropic.WIRE + "AnthropicCountTokensRequest",
    Anthropic.WIRE + "AnthropicCreateMessageRequest",
    Anthropic.WIRE + "AnthropicCreateMessageResponse", Anthropic.WIRE + "AnthropicDiagnostics",
    Anthropic.WIRE + "AnthropicDiagnosticsParameters", Anthropic.WIRE + "AnthropicFormat",
    Anthropic.WIRE + "AnthropicMessage",
    Anthropic.WIRE + "AnthropicMetadata", Anthropic.WIRE + "AnthropicOutputConfig",
    Anthropic.WIRE + "AnthropicThinking",
    Anthropic.WIRE + "AnthropicTool", Anthropic.WIRE + "AnthropicToolChoice",
    Anthropic.WIRE + "AnthropicToolSchema", Anthropic.WIRE + "AnthropicToolUseContent",
    "com.fasterxml.jackson.databind.PropertyNamingStrategies$SnakeCaseStrategy"})
final class Anthropic implements ModelProvider {
    static final String WIRE = "dev.langchain4j.model.anthropic.internal.api.";

    private static final int WANTS_ONE = 16_384;
    /// More than one request can make.
    private static final int MOST_SEARCHES = 10_000;
    private static final JsonNode MARK = Json.object().put("type", "ephemeral");
    private static final String ALL_BLOCKS = "all_blocks";
    private static final Set<String> KNOWN =
            Set.of("tool_use", "thinking", "redacted_thinking", "server_tool_use");
    private static final Set<String> MARKABLE = Set.of("text", "tool_result");

    @Override
    public ChatModel open(Access access) {
        return AnthropicChatModel.builder()
                .httpClientBuilder(access.http())
                .apiKey(access.key().get())
                .baseUrl(access.url())
                .modelName(access.model())
                .maxTokens(access.mostTokens())
                .maxRetries(0)
                .cacheSystemMessages(true)
                .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA)
                .build();
    }

    @Override
    public Integer mostOutputTokens() {
        return WANTS_ONE;
    }

    /// Cached input is counted apart.
    @Override
    public Tokens tokens(ChatResponse response) {
        Tokens plain = Tokens.plain(response.tokenUsage());
        if (!(response.tokenUsage() instanceof AnthropicTokenUsage own)) {
            return plain;
        }
        long read = Tokens.count(own.cacheReadInputTokens());
        long written = Tokens.count(own.cacheCreationInputTokens());
        return new Tokens(plain.input() + read + written, plain.output(), read, written);
    }

    /// The client does not distinguish all reasons.
    @Override
    public @Nullable Shortfall shortfall(ChatResponse response) {
        if (response.finishReason() != FinishReason.OTHER
                || !(response.metadata() instanceof AnthropicChatResponseMetadata metadata)) {
            return ModelProvider.super.shortfall(response);
        }
        return switch (raw(metadata).path("stop_reason").asText()) {
            case "refusal" -> Shortfall.REFUSED;
            case "model_context_window_exceeded" -> Shortfall.TRUNCATED;
            default -> Shortfall.PAUSED;
        };
    }

    /// The API wants a model's thoughts back unchanged with the results of its tools, but the
    /// client drops or joins them.
    @Override
    public Optional<JsonNode> rawContent(ChatResponse response) {
        if (!(response.metadata() instanceof AnthropicChatResponseMetadata metadata)) {
            return Optional.empty();
        }
        JsonNode raw = raw(metadata);
        return Optional.of(raw.path(raw.has(ALL_BLOCKS) ? ALL_BLOCKS : "content"));
    }

    /// The client fails on blocks that it does not know, and writes a missing text as a word.
    /// Unknown ones are kept apart, to be sent back.
    @Override
    public void repair(ObjectNode answer) {
        JsonNode content = answer.path("content");
        ArrayNode blocks = answer.putArray("content");
        ArrayNode all = Json.object().arrayNode();
        if (content.isTextual()) {
            blocks.addObject().put("type", "text").put("text", content.asText());
        }
        for (JsonNode block : content) {
            String type = block.path("type").asText();
            if (type.equals("tool_use") && !block.path("input").isObject()) {
                ((ObjectNode) block).putObject("input");
            }
            if (type.equals("text") && !block.path("text").isTextual()) {
                continue;
            }
            all.add(block);
            if (type.equals("text") || KNOWN.contains(type) || type.endsWith("_tool_result")) {
                blocks.add(block);
            }
        }
        if (all.size() > blocks.size()) {
            answer.set(ALL_BLOCKS, all);
        }
        if (answer.hasNonNull("stop_reason")) {
            answer.put("stop_reason", answer.path("stop_reason").asText().toLowerCase(Locale.ROOT));
        }
    }

    @Override
    public JsonNode joined(List<JsonNode> pieces) {
        ObjectNode whole = Json.object();
        ArrayNode blocks = Json.object().arrayNode();
        for (JsonNode piece : pieces) {
            JsonNode delta = piece.path("delta");
            switch (piece.path("type").asText()) {
                case "message_start" -> whole = piece.path("message").deepCopy();
                case "content_block_start" -> blocks.add(piece.path("content_block"));
                case "content_block_delta" -> {
                    if (blocks.path(blocks.size() - 1) instanceof ObjectNode block) {
                        delta.properties()
                                .stream()
                                .filter(part -> part.getValue().isTextual()
                                        && !part.getKey().equals("type"))
                                .forEach(part -> block.put(part.getKey(),
                                        block.path(part.getKey()).asText("")
                                                + part.getValue().asText()));
                    }
                }
                case "message_delta" -> {
                    whole.set("stop_reason", delta.path("stop_reason"));
                    whole.withObject("/usage").setAll(piece.path("usage").<ObjectNode>deepCopy());
                }
                default -> {}
            }
        }
        blocks.forEach(block -> {
            if (block.has("partial_json")) {
                JsonNode input =
                        ModelProvider.parsed(((ObjectNode) block).remove("partial_json").asText());
                ((ObjectNode) block).set("input", input);
            }
        });
        whole.set("content", blocks);
        return whole.has("stop_reason") ? whole : MissingNode.getInstance();
    }

    /// Puts back the model's turns as they came; marks what the provider caches for five minutes
    /// beside tools and system, which its client marks; and offers the provider's search.
    @Override
    public String body(String written, RequestExtras extras) {
        ObjectNode body = (ObjectNode) Json.parse(written);
        JsonNode messages = body.path("messages");
        if (extras.shared() > 0) {
            parted(messages.path(0).path("content"), extras.shared());
        }
        if (!extras.rawTurns().isEmpty()) {
            Iterator<JsonNode> next = extras.rawTurns().iterator();
            for (JsonNode message : messages) {
                if (message.path("role").asText().equals("assistant") && next.hasNext()) {
                    ((ObjectNode) message).set("content", next.next());
                }
            }
            // The next turn begins with all of this one.
            marked(messages.path(messages.size() - 1).path("content"));
        }
        extras.search()
                .ifPresent(search -> body.withArray("/tools")
                        .addObject()
                        .put("type", search.tool())
                        .put("name", "web_search")
                        .put("max_uses", search.most()));
        return body.toString();
    }

    /// Splits the first text behind the part that other prompts share.
    private static void parted(JsonNode content, int shared) {
        String text = content.path(0).path("text").asText();
        if (content instanceof ArrayNode blocks && shared < text.length()) {
            blocks.insertObject(0)
                    .put("type", "text")
                    .put("text", text.substring(0, shared))
                    .set("cache_control", MARK);
            ((ObjectNode) blocks.get(1)).put("text", text.substring(shared));
        }
    }

    private static void marked(JsonNode content) {
        if (content.path(content.size() - 1) instanceof ObjectNode last
                && MARKABLE.contains(last.path("type").asText())) {
            last.set("cache_control", MARK);
        }
    }

    /// Joins the blocks of an answer with searches. Citations part its text into blocks, in the
    /// middle of a word if need be, and the client puts line feeds between them.
    @Override
    public @Nullable String text(ChatResponse response) {
        if (searches(response) == 0
                || !(response.metadata() instanceof AnthropicChatResponseMetadata metadata)) {
            return ModelProvider.super.text(response);
        }
        StringBuilder text = new StringBuilder();
        raw(metadata).path("content").forEach(block -> text.append(block.path("text").asText("")));
        return text.toString();
    }

    /// The number of searches in the usage, but no fewer than the answer shows. If the usage has no
    /// number, or an impossible one, those shown count.
    @Override
    public int searches(ChatResponse response) {
        if (!(response.metadata() instanceof AnthropicChatResponseMetadata metadata)) {
            return 0;
        }
        JsonNode raw = raw(metadata);
        int told = raw.path("usage")
                .path("server_tool_use")
                .path("web_search_requests")
                .asInt(Tokens.NO_COUNT);
        int shown =
                (int) ModelProvider.stream(raw.path("content")).filter(Anthropic::isSearch).count();
        return told <= MOST_SEARCHES ? Math.max(told, shown) : shown;
    }

    private static boolean isSearch(JsonNode block) {
        return block.path("type").asText().equals("server_tool_use")
                && block.path("name").asText().equals("web_search");
    }

    /// The response, with all that the client leaves out.
    private static JsonNode raw(AnthropicChatResponseMetadata metadata) {
        return Json.parse(metadata.rawHttpResponse().body());
    }
}

package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Anthropic's Messages API (version 2023-06-01), without streaming.
public final class AnthropicServer extends FakeProvider {
    private static final Shape CACHE =
            Shape.fields().must("type", Shape.word("ephemeral")).may("ttl", Shape.word("5m", "1h"));
    private static final Shape.Fields TEXT_BLOCK = Shape.fields().must("type", Shape.TEXT).must("text", Shape.FILLED)
            .may("cache_control", CACHE)
            .may("citations", Shape.is("a list or null", list -> list.isArray() || list.isNull()));
    private static final Shape.Fields BLOCK = Shape.fields().must("type", Shape.TEXT).may("cache_control", CACHE);
    private static final Shape.Fields CALL_BLOCK =
            BLOCK.must("id", Shape.matching("[a-zA-Z0-9_-]+")).must("name", Shape.FILLED)
                    .must("input", Shape.OBJECT);
    private static final Shape.Fields RESULT_BLOCK = BLOCK.must("tool_use_id", Shape.FILLED);
    private static final Map<String, Shape> BLOCKS = Map.of(
            "text", TEXT_BLOCK,
            "tool_use", CALL_BLOCK,
            "tool_result", RESULT_BLOCK.may("is_error", Shape.FLAG)
                    .may("content", Shape.textOr(Shape.listOf(Shape.by("type", Map.of("text", TEXT_BLOCK))))),
            "thinking",
            Shape.fields().must("type", Shape.TEXT).must("thinking", Shape.TEXT).must("signature", Shape.TEXT),
            "server_tool_use", CALL_BLOCK,
            "web_search_tool_result",
            RESULT_BLOCK.must("content", Shape.is("a list or an object", JsonNode::isContainerNode)));
    private static final Shape MESSAGE = Shape.fields().must("role", Shape.word("user", "assistant"))
            .must("content", Shape.textOr(Shape.listOf(Shape.by("type", BLOCKS))));

    private static final Shape TOOL_NAME = Shape.matching("[a-zA-Z0-9_-]{1,128}");
    private static final Shape OWN_TOOL = Shape.fields().must("name", TOOL_NAME).may("description", Shape.TEXT)
            .must("input_schema",
                    Shape.OBJECT.and(
                            Shape.is("a schema of an object", schema -> schema.path("type").asText().equals("object"))))
            .may("type", Shape.word("custom")).may("strict", Shape.FLAG).may("cache_control", CACHE);
    private static final Shape SERVER_TOOL =
            Shape.fields().must("type", Shape.matching("web_search_\\d{8}")).must("name", Shape.word("web_search"))
                    .may("max_uses", Shape.COUNT).may("cache_control", CACHE);
    private static final Shape TOOL =
            (at, tool, violations) -> (tool.path("type").asText("custom").equals("custom") ? OWN_TOOL : SERVER_TOOL)
                    .check(at, tool, violations);
    private static final Shape CHOICE = Shape.fields().must("type", Shape.word("auto", "none"));

    /// Constraints that structured outputs do not know.
    private static final Shape SCHEMA = Shape.strictSchema(false,
            List.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
                    "maxLength", "maxItems"));
    private static final Shape BODY = Shape.fields().must("model", Shape.FILLED).must("max_tokens", Shape.COUNT)
            .must("messages", Shape.listOf(MESSAGE))
            .may("system", Shape.textOr(Shape.listOf(Shape.by("type", Map.of("text", TEXT_BLOCK)))))
            .may("tools", Shape.listOf(TOOL))
            .may("tool_choice", CHOICE)
            .may("output_config", Shape.fields().may("effort", Shape.word("low", "medium", "high", "xhigh", "max"))
                    .may("format", Shape.fields().must("type", Shape.word("json_schema")).must("schema", SCHEMA)))
            .may("temperature", Shape.between(0, 1))
            .may("cache_control", CACHE).may("stream", Shape.is("false: this server does not stream",
                    stream -> stream.isBoolean() && !stream.asBoolean()));

    private final Set<JsonNode> thought = ConcurrentHashMap.newKeySet();

    AnthropicServer(Answerer answerer) throws IOException {
        super(answerer);
    }

    /// Answers as the recording in a folder does.
    public static AnthropicServer recording(Path folder) throws IOException {
        return new AnthropicServer(Answerer.recording(folder));
    }

    /// Models of this name think before they answer, as Anthropic's current ones do.
    private static boolean thinks(JsonNode body) {
        return body.path("model").asText().startsWith("thinking-");
    }

    @Override
    boolean serves(String path) {
        return path.equals("/v1/messages");
    }

    @Override
    Optional<String> key(Received request) {
        return request.header("x-api-key");
    }

    @Override
    void check(Received request, Consumer<String> violations) {
        Shape.word("2023-06-01").check("header anthropic-version",
                Json.tree(request.header("anthropic-version").orElse("")), violations);
        JsonNode body = request.body();
        BODY.check("", body, violations);
        String before = "assistant";
        for (JsonNode message : body.path("messages")) {
            if (message.path("role").asText().equals(before)) {
                violations.accept("messages: roles must alternate between user and assistant, beginning with user");
            }
            if (message.path("content").isEmpty() && text(message.path("content")).isBlank()) {
                violations.accept("messages: all messages must have non-empty content");
            }
            before = message.path("role").asText();
        }
        if (body.path("messages").isEmpty()) {
            violations.accept("messages: at least one message is required");
        }
        if (body.has("tool_choice") && body.path("tools").isEmpty()) {
            violations.accept("tool_choice: may only be specified while providing tools");
        }
        if (thinks(body)) {
            stream(body.path("messages")).filter(message -> values(message, "tool_use", "id").findAny().isPresent())
                    .filter(message -> !thought.contains(message.path("content").path(0)))
                    .forEach(_ -> violations.accept(
                            "messages: a model that thinks wants its thoughts back, unchanged, with its calls of tools"));
        }
        Turn.check(stream(body.path("messages")).map(message -> new Turn(values(message, "tool_use", "id").toList(),
                values(message, "tool_result", "tool_use_id").toList())).toList(), violations);
    }

    private static Stream<String> values(JsonNode message, String type, String field) {
        return stream(message.path("content")).filter(block -> block.path("type").asText().equals(type))
                .map(block -> block.path(field).asText());
    }

    @Override
    String system(JsonNode body) {
        return text(body.path("system"));
    }

    @Override
    List<String> toolResults(JsonNode message) {
        return stream(message.path("content")).filter(block -> block.path("type").asText().equals("tool_result"))
                .map(block -> text(block.path("content"))).toList();
    }

    @Override
    JsonNode answer(JsonNode body, Reply reply) {
        ObjectNode answer = Json.object().put("id", newId("msg_")).put("type", "message").put("role", "assistant")
                .put("model", body.path("model").asText());
        ArrayNode content = answer.putArray("content");
        if (thinks(body)) {
            // As it comes by default: signed, but not shown.
            JsonNode thinking = content.addObject().put("type", "thinking").put("thinking", "").put("signature",
                    newId("signature-"));
            thought.add(thinking);
        }
        if (!reply.text().isEmpty()) {
            content.addObject().put("type", "text").put("text", reply.text());
        }
        for (Reply.Call call : reply.calls()) {
            content.addObject().put("type", "tool_use").put("id", newId("toolu_")).put("name", call.name()).set("input",
                    call.arguments());
        }
        answer.put("stop_reason", switch (reply.stop()) {
            case DONE -> "end_turn";
            case TOOLS -> "tool_use";
            case LENGTH -> "max_tokens";
            case REFUSED -> "refusal";
        }).putNull("stop_sequence");
        answer.set("usage", usage(body, reply));
        return answer;
    }

    /// The cached part is what ends at the last mark in tools and system; `input_tokens` is what is
    /// neither written nor read.
    private JsonNode usage(JsonNode body, Reply reply) {
        long before = tokens(body, "tools", "system");
        boolean marked = body.path("tools").toString().contains("cache_control")
                || body.path("system").toString().contains("cache_control");
        boolean seen = marked && hasCached(body.path("model") + " " + body.path("tools") + body.path("system"));
        long written = marked && !seen ? before : 0;
        ObjectNode usage = Json.object().put("input_tokens", tokens(body, "messages") + (marked ? 0 : before))
                .put("cache_creation_input_tokens", written).put("cache_read_input_tokens", seen ? before : 0)
                .put("output_tokens", reply.tokens()).put("service_tier", "standard");
        usage.putObject("cache_creation").put("ephemeral_5m_input_tokens", written).put("ephemeral_1h_input_tokens", 0);
        return usage;
    }

    @Override
    JsonNode error(int status, String message) {
        ObjectNode error = Json.object().put("type", "error").put("request_id", newId("req_"));
        error.putObject("error").put("message", message).put("type", switch (status) {
            case 400 -> "invalid_request_error";
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 413 -> "request_too_large";
            case 429 -> "rate_limit_error";
            case 504 -> "timeout_error";
            case 529 -> "overloaded_error";
            default -> "api_error";
        });
        return error;
    }
}

package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import module java.base;

/// Anthropic's Messages API (version 2023-06-01), without streaming.
public final class AnthropicServer extends FakeProvider {
    private static final Protocol PROTOCOL = Protocol.of("anthropic");

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
        if (!request.header("anthropic-version").equals(Optional.of("2023-06-01"))) {
            violations.accept("header anthropic-version: must be 2023-06-01");
        }
        JsonNode body = request.body();
        PROTOCOL.check(body, violations);
        String before = "assistant";
        for (JsonNode message : body.path("messages")) {
            if (message.path("role").asText().equals(before)) {
                violations.accept("messages: roles must alternate between user and assistant, beginning with user");
            }
            before = message.path("role").asText();
        }
        if (thinks(body)) {
            stream(body.path("messages")).filter(message -> values(message, "tool_use", "id").findAny().isPresent())
                    .filter(message -> !thought.contains(message.path("content").path(0)))
                    .forEach(_ -> violations.accept(
                            "messages: a model that thinks wants its thoughts back, unchanged, with its calls of tools"));
        }
        Protocol.checkTurns(stream(body.path("messages"))
                .map(message -> new Protocol.Turn(values(message, "tool_use", "id").toList(),
                        values(message, "tool_result", "tool_use_id").toList()))
                .toList(), violations);
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
            // The thought comes as it does by default: signed, but not shown.
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
        }).putNull("stop_sequence");
        answer.putObject("usage").put("input_tokens", tokens(body, "messages", "tools", "system"))
                .put("cache_creation_input_tokens", 0).put("cache_read_input_tokens", 0)
                .put("output_tokens", reply.tokens()).put("service_tier", "standard");
        return answer;
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

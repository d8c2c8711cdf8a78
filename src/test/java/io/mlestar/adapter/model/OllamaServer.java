package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import module java.base;

/// Ollama's chat, without streaming.
class OllamaServer extends FakeProvider {
    private static final Protocol PROTOCOL = Protocol.of("ollama");

    private final int context;

    OllamaServer(Answerer answerer) throws IOException {
        this(answerer, 131_072);
    }

    /// @param context of the model, in tokens
    OllamaServer(Answerer answerer, int context) throws IOException {
        super(answerer);
        this.context = context;
    }

    /// The facts that it knows of a model (`/api/show`).
    @Override
    Optional<JsonNode> aside(Received request) {
        return !request.path().equals("/api/show") || request.body().path("model").asText().isEmpty() ? Optional.empty()
                : Optional.of(Json.object().set("model_info",
                        Json.object().put("general.architecture", "made-up").put("made-up.context_length", context)));
    }

    @Override
    boolean serves(String path) {
        return path.equals("/api/chat");
    }

    /// Everybody may come in.
    @Override
    Optional<String> key(Received request) {
        return Optional.of(KEY);
    }

    @Override
    void check(Received request, Consumer<String> violations) {
        PROTOCOL.check(request.body(), violations);
        int open = 0;
        for (JsonNode message : request.body().path("messages")) {
            open += message.path("tool_calls").size() - toolResults(message).size();
        }
        if (open != 0) {
            violations.accept("messages: there must be as many results of tools as calls");
        }
    }

    @Override
    String system(JsonNode body) {
        return String.join("\n",
                stream(body.path("messages")).filter(message -> message.path("role").asText().equals("system"))
                        .map(message -> message.path("content").asText()).toList());
    }

    @Override
    List<String> toolResults(JsonNode message) {
        return message.path("role").asText().equals("tool") ? List.of(message.path("content").asText()) : List.of();
    }

    @Override
    JsonNode answer(JsonNode body, Reply reply) {
        ObjectNode answer =
                Json.object().put("model", body.path("model").asText()).put("created_at", Instant.now().toString());
        ObjectNode message = answer.putObject("message").put("role", "assistant")
                .put("content", reply.text());
        if (!reply.calls().isEmpty()) {
            ArrayNode calls = message.putArray("tool_calls");
            for (Reply.Call call : reply.calls()) {
                calls.addObject().put("id", newId("call_")).putObject("function").put("index", calls.size() - 1)
                        .put("name", call.name())
                        .set("arguments", call.arguments());
            }
        }
        return answer.put("done", true).put("done_reason", reply.stop() == Reply.Stop.LENGTH ? "length" : "stop")
                .put("total_duration", 5_000_000).put("load_duration", 1_000_000)
                .put("prompt_eval_count", tokens(body, "messages", "tools")).put("prompt_eval_duration", 1_000_000)
                .put("eval_count", reply.tokens()).put("eval_duration", 3_000_000);
    }

    @Override
    JsonNode error(int status, String message) {
        return Json.object().put("error", message);
    }
}

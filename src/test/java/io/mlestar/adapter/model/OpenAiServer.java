package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import module java.base;

/// OpenAI's chat completions, under any base path as the many compatible servers have them, and its
/// Responses API, without streaming.
class OpenAiServer extends FakeProvider {
    private static final Protocol PROTOCOL = Protocol.of("openai");

    private final ResponsesForm responses = new ResponsesForm(this::newId);

    OpenAiServer(Answerer answerer) throws IOException {
        super(answerer);
    }

    private static boolean isOfResponses(JsonNode body) {
        return body.has("input");
    }

    @Override
    boolean serves(String path) {
        return path.endsWith("/chat/completions") || path.endsWith("/responses");
    }

    @Override
    Optional<String> key(Received request) {
        return request.header("authorization").filter(value -> value.startsWith("Bearer "))
                .map(value -> value.substring("Bearer ".length()));
    }

    @Override
    void check(Received request, Consumer<String> violations) {
        JsonNode body = request.body();
        if (request.path().endsWith("/responses")) {
            responses.check(body, violations);
            return;
        }
        PROTOCOL.check(body, violations);
        Protocol.checkAllRequired(body.at("/response_format/json_schema/schema"), violations);
        Protocol.checkArguments(body.path("messages"), violations);
        if (body.path("response_format").path("type").asText().equals("json_object")
                && !body.path("messages").toString().toLowerCase(Locale.ROOT).contains("json")) {
            violations.accept("messages must contain the word json to use response_format json_object");
        }
        Protocol.checkTurns(turns(body), violations);
    }

    /// Here each result is a message of its own; those in a row are one turn.
    private static List<Protocol.Turn> turns(JsonNode body) {
        List<Protocol.Turn> turns = new ArrayList<>();
        boolean inRow = false;
        for (JsonNode message : body.path("messages")) {
            boolean isResult = message.path("role").asText().equals("tool");
            if (!isResult || !inRow) {
                List<String> calls = stream(message.path("tool_calls")).map(call -> call.path("id").asText()).toList();
                turns.add(new Protocol.Turn(calls, new ArrayList<>()));
            }
            if (isResult) {
                turns.getLast().results().add(message.path("tool_call_id").asText());
            }
            inRow = isResult;
        }
        return turns;
    }

    @Override
    JsonNode messages(JsonNode body) {
        return isOfResponses(body) ? body.path("input") : super.messages(body);
    }

    @Override
    String said(JsonNode message) {
        return message.path("role").asText().equals("user") ? ResponsesForm.text(message.path("content")) : "";
    }

    @Override
    String system(JsonNode body) {
        return isOfResponses(body) ? ResponsesForm.system(body)
                : String.join("\n", stream(body.path("messages"))
                        .filter(message -> message.path("role").asText().matches("system|developer"))
                        .map(message -> text(message.path("content"))).toList());
    }

    @Override
    List<String> toolResults(JsonNode message) {
        return message.path("type").asText().equals("function_call_output") ? List.of(message.path("output").asText())
                : message.path("role").asText().equals("tool") ? List.of(text(message.path("content"))) : List.of();
    }

    @Override
    JsonNode answer(JsonNode body, Reply reply) {
        if (isOfResponses(body)) {
            return responses.answer(body, reply);
        }
        ObjectNode answer = Json.object().put("id", newId("chatcmpl-")).put("object", "chat.completion")
                .put("created", Instant.now().getEpochSecond()).put("model", body.path("model").asText());
        ObjectNode choice = answer.putArray("choices").addObject().put("index", 0).putNull("logprobs");
        choice.set("message", message(reply));
        choice.put("finish_reason", switch (reply.stop()) {
            case DONE -> "stop";
            case TOOLS -> "tool_calls";
            case LENGTH -> "length";
        });
        long input = tokens(body, "messages", "tools");
        answer.putObject("usage").put("prompt_tokens", input).put("completion_tokens", reply.tokens())
                .put("total_tokens", input + reply.tokens());
        return answer.put("service_tier", "default").put("system_fingerprint", "fp_fake");
    }

    private JsonNode message(Reply reply) {
        ObjectNode message = Json.object().put("role", "assistant").put("content", reply.text()).putNull("refusal");
        if (!reply.calls().isEmpty()) {
            message.put("content", reply.text().isEmpty() ? null : reply.text());
            ArrayNode calls = message.putArray("tool_calls");
            for (Reply.Call call : reply.calls()) {
                calls.addObject().put("id", newId("call_")).put("type", "function").putObject("function")
                        .put("name", call.name())
                        .put("arguments",
                                call.arguments().isTextual() ? call.arguments().asText() : call.arguments().toString());
            }
        }
        return message;
    }

    @Override
    JsonNode error(int status, String message) {
        ObjectNode error = Json.object();
        error.putObject("error").put("message", message).put("type", switch (status) {
            case 429 -> "requests";
            case 500, 502, 503, 504, 529 -> "server_error";
            default -> "invalid_request_error";
        }).putNull("param").put("code", switch (status) {
            case 401 -> "invalid_api_key";
            case 404 -> "model_not_found";
            case 429 -> "rate_limit_exceeded";
            default -> null;
        });
        return error;
    }
}

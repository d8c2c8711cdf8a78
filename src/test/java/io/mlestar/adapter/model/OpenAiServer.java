package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// OpenAI's chat completions, under any base path as the many compatible servers have them, and its
/// Responses API, without streaming.
class OpenAiServer extends FakeProvider {
    private static final Shape CONTENT = Shape.textOr(Shape.listOf(Shape.by("type", Map.of(
            "text", Shape.fields().must("type", Shape.TEXT).must("text", Shape.TEXT)))));
    static final Shape NAME = Shape.matching("[a-zA-Z0-9_-]{1,64}");
    static final Shape ARGUMENTS = Shape.is("a string of JSON", OpenAiServer::isJson);
    private static final Shape CALL = Shape.fields().must("id", Shape.FILLED).must("type", Shape.word("function"))
            .must("function", Shape.fields().must("name", NAME).must("arguments", ARGUMENTS));
    private static final Shape.Fields MESSAGE = Shape.fields().must("role", Shape.TEXT);
    private static final Shape.Fields SAID = MESSAGE.must("content", CONTENT).may("name", NAME);
    private static final Map<String, Shape> MESSAGES = Map.of(
            "system", SAID, "developer", SAID, "user", SAID,
            "assistant", MESSAGE.may("content", (at, content, violations) -> {
                if (!content.isNull()) {
                    CONTENT.check(at, content, violations);
                }
            }).may("tool_calls", Shape.listOf(CALL)).may("name", NAME).may("refusal",
                    Shape.is("a string or null", it -> it.isTextual() || it.isNull())),
            "tool", MESSAGE.must("content", CONTENT).must("tool_call_id", Shape.FILLED));

    private static final Shape TOOL =
            Shape.fields().must("type", Shape.word("function")).must("function", Shape.fields().must("name", NAME)
                    .may("description", Shape.TEXT).may("parameters", Shape.OBJECT).may("strict", Shape.FLAG));
    private static final Shape CHOICE = (at, choice, violations) -> (choice.isTextual()
            ? Shape.word("none", "auto", "required")
            : Shape.fields().must("type", Shape.word("function")).must("function", Shape.fields().must("name", NAME)))
            .check(at, choice, violations);
    private static final Shape.Fields TYPED = Shape.fields().must("type", Shape.TEXT);
    private static final Shape FORMAT = Shape.by("type", Map.of(
            "text", TYPED, "json_object", TYPED,
            "json_schema", TYPED.must("json_schema", Shape.fields().must("name", NAME).may("description", Shape.TEXT)
                    .must("strict", Shape.is("true: others are only hints", JsonNode::asBoolean))
                    .must("schema", Shape.strictSchema(true, List.of())))));
    private static final Shape BODY =
            Shape.fields().must("model", Shape.FILLED).must("messages", Shape.listOf(Shape.by("role", MESSAGES)))
                    .may("tools", Shape.listOf(TOOL)).may("tool_choice", CHOICE).may("response_format", FORMAT)
                    .may(Shape.COUNT, "max_tokens", "max_completion_tokens").may("temperature", Shape.between(0, 2))
                    .may("stream", Shape.is("false: this server does not stream",
                            stream -> stream.isBoolean() && !stream.asBoolean()));

    private final ResponsesForm responses = new ResponsesForm(this::newId);

    OpenAiServer(Answerer answerer) throws IOException {
        super(answerer);
    }

    private static boolean isOfResponses(JsonNode body) {
        return body.has("input");
    }

    private static boolean isJson(JsonNode text) {
        try {
            return text.isTextual() && Json.parse(text.asText()).isObject();
        } catch (Invalid e) {
            return false;
        }
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
        BODY.check("", body, violations);
        if (body.path("messages").isEmpty()) {
            violations.accept("messages: empty array; expected at least one message");
        }
        if (body.has("max_tokens") && body.has("max_completion_tokens")) {
            violations.accept("max_tokens and max_completion_tokens must not both be set");
        }
        if ((body.has("tool_choice") || body.has("parallel_tool_calls")) && body.path("tools").isEmpty()) {
            violations.accept("tool_choice and parallel_tool_calls are only allowed when tools are specified");
        }
        if (body.path("response_format").path("type").asText().equals("json_object")
                && !body.path("messages").toString().toLowerCase(Locale.ROOT).contains("json")) {
            violations.accept("messages must contain the word json to use response_format json_object");
        }
        Turn.check(turns(body), violations);
    }

    /// Here each result is a message of its own; those in a row are one turn.
    private static List<Turn> turns(JsonNode body) {
        List<Turn> turns = new ArrayList<>();
        boolean inRow = false;
        for (JsonNode message : body.path("messages")) {
            boolean isResult = message.path("role").asText().equals("tool");
            if (!isResult || !inRow) {
                turns.add(new Turn(stream(message.path("tool_calls")).map(call -> call.path("id").asText()).toList(),
                        new ArrayList<>()));
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
                : String.join("\n",
                        stream(body.path("messages"))
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
            return responses.answer(body, reply,
                    hasCached(body.path("model") + " " + body.path("tools") + system(body)));
        }
        ObjectNode answer = Json.object().put("id", newId("chatcmpl-")).put("object", "chat.completion")
                .put("created", Instant.now().getEpochSecond()).put("model", body.path("model").asText());
        ObjectNode choice = answer.putArray("choices").addObject().put("index", 0).putNull("logprobs");
        choice.set("message", message(reply));
        choice.put("finish_reason", switch (reply.stop()) {
            case DONE, REFUSED -> "stop";
            case TOOLS -> "tool_calls";
            case LENGTH -> "length";
        });
        long input = tokens(body, "messages", "tools");
        boolean seen = hasCached(body.path("model") + " " + body.path("tools") + system(body));
        ObjectNode usage =
                answer.putObject("usage").put("prompt_tokens", input).put("completion_tokens", reply.tokens())
                        .put("total_tokens", input + reply.tokens());
        usage.putObject("prompt_tokens_details").put("cached_tokens", seen ? Reply.tokens(system(body)) : 0)
                .put("audio_tokens", 0);
        usage.putObject("completion_tokens_details").put("reasoning_tokens", 0).put("audio_tokens", 0);
        return answer.put("service_tier", "default").put("system_fingerprint", "fp_fake");
    }

    private JsonNode message(Reply reply) {
        ObjectNode message = Json.object().put("role", "assistant").put("content", reply.text()).putNull("refusal");
        if (reply.stop() == Reply.Stop.REFUSED) {
            message.putNull("content").put("refusal", "I cannot help with that.");
        }
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

package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Requests and answers of OpenAI's Responses API without streaming and without a store, as its
/// description has them (the types of openai-python that are made from it, August 2026; the rules
/// on reasoning items from its guide to reasoning models).
final class ResponsesForm {
    private static final Shape.Fields TYPED = Shape.fields().must("type", Shape.TEXT);
    private static final Shape STATUS = Shape.word("in_progress", "completed", "incomplete");
    private static final Shape CONTENT = Shape.textOr(Shape.listOf(Shape.by("type", Map.of(
            "input_text", TYPED.must("text", Shape.TEXT), "refusal", TYPED.must("refusal", Shape.TEXT),
            "output_text",
            TYPED.must("text", Shape.TEXT).may(Shape.is("a list", JsonNode::isArray), "annotations", "logprobs")))));
    private static final Shape MESSAGE =
            Shape.fields().must("role", Shape.word("user", "system", "developer", "assistant")).must("content", CONTENT)
                    .may("type", Shape.word("message")).may("id", Shape.matching("msg_.+")).may("status", STATUS);
    private static final Map<String, Shape> ITEMS = Map.of(
            "message", MESSAGE,
            "function_call",
            TYPED.must("call_id", Shape.FILLED).must("name", OpenAiServer.NAME)
                    .must("arguments", OpenAiServer.ARGUMENTS)
                    .may("id", Shape.matching("fc_.+")).may("status", STATUS),
            "function_call_output",
            TYPED.must("call_id", Shape.FILLED).must("output", Shape.TEXT).may("status", STATUS),
            "reasoning",
            TYPED.must("id", Shape.matching("rs_.+")).must("summary", Shape.is("a list", JsonNode::isArray))
                    .must("encrypted_content", Shape.FILLED).may("status", STATUS),
            "web_search_call",
            TYPED.must("id", Shape.matching("ws_.+")).must("status", Shape.TEXT).must("action", Shape.OBJECT));
    private static final Shape ITEM = (at, item, violations) -> (item.has("type") ? Shape.by("type", ITEMS) : MESSAGE)
            .check(at, item, violations);
    private static final Shape TOOL = Shape.by("type", Map.of(
            "function",
            TYPED.must("name", OpenAiServer.NAME).may("description", Shape.TEXT).may("parameters", Shape.OBJECT)
                    .may("strict", Shape.FLAG),
            "web_search", TYPED.may(Shape.OBJECT, "filters", "user_location").may("search_context_size",
                    Shape.word("low", "medium", "high"))));
    private static final Shape TEXT = Shape.fields().may("verbosity", Shape.word("low", "medium", "high"))
            .may("format", Shape.by("type", Map.of("text", TYPED, "json_object", TYPED,
                    "json_schema",
                    TYPED.must("name", OpenAiServer.NAME).must("schema", Shape.strictSchema(true, List.of()))
                            .must("strict", Shape.is("true: others are only hints", JsonNode::asBoolean))
                            .may("description", Shape.TEXT))));
    private static final Shape BODY = Shape.fields().must("model", Shape.FILLED)
            .must("input", Shape.textOr(Shape.listOf(ITEM)))
            .may("instructions", Shape.TEXT).may("tools", Shape.listOf(TOOL))
            .may("tool_choice", Shape.word("none", "auto", "required")).may("text", TEXT)
            .may("max_output_tokens", Shape.between(16, 1e6)).may("max_tool_calls", Shape.COUNT)
            .may(Shape.FLAG, "parallel_tool_calls")
            .may("store",
                    Shape.is("false: this server stores nothing", store -> store.isBoolean() && !store.asBoolean()))
            .may("temperature", Shape.between(0, 2)).may("top_p", Shape.between(0, 1)).may("include", Shape.TEXTS)
            .may(Shape.OBJECT, "reasoning", "metadata")
            .may("stream", Shape.is("false: this server does not stream",
                    stream -> stream.isBoolean() && !stream.asBoolean()));

    /// What goes by a thought: by the id of a call, the thought before it.
    private final Map<String, JsonNode> thoughts = new ConcurrentHashMap<>();
    private final UnaryOperator<String> ids;

    /// @param ids makes one that begins so
    ResponsesForm(UnaryOperator<String> ids) {
        this.ids = ids;
    }

    void check(JsonNode body, Consumer<String> violations) {
        BODY.check("", body, violations);
        if (body.path("input").isEmpty() && body.path("input").asText().isEmpty()) {
            violations.accept("input: there must be some");
        }
        if (body.has("tool_choice") && body.path("tools").isEmpty()) {
            violations.accept("tool_choice is only allowed when tools are specified");
        }
        Set<JsonNode> input = Set.copyOf(FakeProvider.stream(body.path("input")).distinct().toList());
        for (JsonNode item : body.path("input")) {
            JsonNode thought = thoughts.get(item.path("id").asText());
            if (thought != null && !input.contains(thought)) {
                violations.accept("Item '" + item.path("id").asText() + "' of type '" + item.path("type").asText()
                        + "' was provided without its required 'reasoning' item, unchanged");
            }
        }
        Turn.check(turns(body.path("input")), violations);
    }

    /// Calls in a row are one turn, and so are results.
    private static List<Turn> turns(JsonNode input) {
        List<Turn> turns = new ArrayList<>();
        String before = "";
        for (JsonNode item : input) {
            String type = item.path("type").asText("message");
            if (type.startsWith("function_call")) {
                if (!type.equals(before)) {
                    turns.add(new Turn(new ArrayList<>(), new ArrayList<>()));
                }
                (type.equals("function_call") ? turns.getLast().calls() : turns.getLast().results())
                        .add(item.path("call_id").asText());
            }
            before = type;
        }
        return turns;
    }

    static String system(JsonNode body) {
        return String.join("\n",
                FakeProvider.stream(body.path("input"))
                        .filter(item -> item.path("role").asText().matches("system|developer"))
                        .map(item -> text(item.path("content"))).toList());
    }

    static String text(JsonNode content) {
        return content.isTextual() ? content.asText()
                : String.join("\n", FakeProvider.stream(content).map(part -> part.path("text").asText()).toList());
    }

    /// Models of the name `thinking-…` think before they answer.
    ObjectNode answer(JsonNode body, Reply reply, boolean seen) {
        ObjectNode answer = Json.object().put("id", ids.apply("resp_")).put("object", "response")
                .put("created_at", Instant.now().getEpochSecond())
                .put("model", body.path("model").asText())
                .put("status", reply.stop() == Reply.Stop.LENGTH ? "incomplete" : "completed").putNull("error");
        if (reply.stop() == Reply.Stop.LENGTH) {
            answer.putObject("incomplete_details").put("reason", "max_output_tokens");
        }
        ArrayNode output = answer.putArray("output");
        if (body.path("model").asText().startsWith("thinking-")) {
            output.addObject().put("type", "reasoning").put("id", ids.apply("rs_"))
                    .put("encrypted_content", ids.apply("sealed-")).putArray("summary");
        }
        if (reply.stop() == Reply.Stop.REFUSED || reply.calls().isEmpty()) {
            ObjectNode content = output.addObject().put("type", "message").put("id", ids.apply("msg_"))
                    .put("role", "assistant").put("status", "completed")
                    .putArray("content").addObject();
            if (reply.stop() == Reply.Stop.REFUSED) {
                content.put("type", "refusal").put("refusal", "I cannot help with that.");
            } else {
                content.put("type", "output_text").put("text", reply.text()).putArray("annotations");
            }
        }
        for (Reply.Call call : reply.calls()) {
            String id = ids.apply("fc_");
            if (output.path(0).path("type").asText().equals("reasoning")) {
                thoughts.put(id, output.get(0));
            }
            output.addObject().put("type", "function_call").put("id", id).put("call_id", ids.apply("call_"))
                    .put("name", call.name())
                    .put("arguments",
                            call.arguments().isTextual() ? call.arguments().asText() : call.arguments().toString())
                    .put("status", "completed");
        }
        long input = FakeProvider.tokens(body, "input", "tools");
        ObjectNode usage =
                answer.putObject("usage").put("input_tokens", input).put("output_tokens", reply.tokens())
                        .put("total_tokens", input + reply.tokens());
        usage.putObject("input_tokens_details").put("cached_tokens", seen ? Reply.tokens(system(body)) : 0)
                .put("cache_write_tokens", 0);
        usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
        return answer;
    }
}

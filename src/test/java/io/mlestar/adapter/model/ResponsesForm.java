package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import module java.base;

/// Requests and answers of OpenAI's Responses API without streaming and without a store, as its
/// description has them (the types of openai-python that are made from it, August 2026; the rules
/// on reasoning items from its guide to reasoning models).
final class ResponsesForm {
    private static final Protocol PROTOCOL = Protocol.of("responses");

    /// The thought before a call, by the id of the call.
    private final Map<String, JsonNode> thoughts = new ConcurrentHashMap<>();
    private final UnaryOperator<String> ids;

    /// @param ids makes one that begins so
    ResponsesForm(UnaryOperator<String> ids) {
        this.ids = ids;
    }

    void check(JsonNode body, Consumer<String> violations) {
        PROTOCOL.check(body, violations);
        Protocol.checkAllRequired(body.at("/text/format/schema"), violations);
        Protocol.checkArguments(body.path("input"), violations);
        Set<JsonNode> input = Set.copyOf(FakeProvider.stream(body.path("input")).distinct().toList());
        for (JsonNode item : body.path("input")) {
            JsonNode thought = thoughts.get(item.path("id").asText());
            if (thought != null && !input.contains(thought)) {
                violations.accept("Item '" + item.path("id").asText() + "' of type '" + item.path("type").asText()
                        + "' was provided without its required 'reasoning' item, unchanged");
            }
        }
        Protocol.checkTurns(turns(body.path("input")), violations);
    }

    /// Calls in a row are one turn, and so are results.
    private static List<Protocol.Turn> turns(JsonNode input) {
        List<Protocol.Turn> turns = new ArrayList<>();
        String before = "";
        for (JsonNode item : input) {
            String type = item.path("type").asText("message");
            if (type.startsWith("function_call")) {
                if (!type.equals(before)) {
                    turns.add(new Protocol.Turn(new ArrayList<>(), new ArrayList<>()));
                }
                (type.equals("function_call") ? turns.getLast().calls() : turns.getLast().results())
                        .add(item.path("call_id").asText());
            }
            before = type;
        }
        return turns;
    }

    static String system(JsonNode body) {
        return String.join("\n", FakeProvider.stream(body.path("input"))
                .filter(item -> item.path("role").asText().matches("system|developer"))
                .map(item -> text(item.path("content"))).toList());
    }

    static String text(JsonNode content) {
        return content.isTextual() ? content.asText()
                : String.join("\n", FakeProvider.stream(content).map(part -> part.path("text").asText()).toList());
    }

    /// Models of the name `thinking-…` think before they answer.
    ObjectNode answer(JsonNode body, Reply reply) {
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
        if (reply.calls().isEmpty()) {
            ObjectNode content = output.addObject().put("type", "message").put("id", ids.apply("msg_"))
                    .put("role", "assistant").put("status", "completed").putArray("content").addObject();
            content.put("type", "output_text").put("text", reply.text()).putArray("annotations");
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
        answer.putObject("usage").put("input_tokens", input).put("output_tokens", reply.tokens())
                .put("total_tokens", input + reply.tokens());
        return answer;
    }
}

package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import module java.base;

/// A row of `providers.yaml`: what a server does otherwise than its protocol has it.
///
/// @param refused the parts that it has refused so far
record OddProvider(String name, JsonNode row, List<String> refused) {
    static OddProvider of(String name, JsonNode row) {
        return new OddProvider(name, row, new CopyOnWriteArrayList<>());
    }

    @Override
    public String toString() {
        return name;
    }

    boolean isOllama() {
        return name.startsWith("ollama");
    }

    String model() {
        return name + ":" + row.path("model").asText();
    }

    List<String> lacks() {
        return FakeProvider.stream(row.path("lacks")).map(JsonNode::asText).toList();
    }

    FakeProvider start(Answerer answerer) throws IOException {
        FakeProvider server = isOllama() ? new OllamaServer(answerer) {
            @Override
            JsonNode answer(JsonNode body, Reply reply) {
                ObjectNode answer = (ObjectNode) super.answer(body, reply);
                addTo((ObjectNode) answer.path("message"));
                return answer;
            }
        } : new OpenAiServer(answerer) {
            @Override
            void check(Received request, Consumer<String> violations) {
                super.check(new Received(request.method(), request.path(), request.headers(),
                        plain(request.body(), violations)), violations);
            }

            @Override
            JsonNode answer(JsonNode body, Reply reply) {
                ObjectNode answer = (ObjectNode) super.answer(body, reply);
                addTo((ObjectNode) answer.path("choices").path(0).path("message"));
                return answer;
            }
        };
        server.refuse(this::refusal);
        return server;
    }

    private Optional<Fault.Foreign> refusal(JsonNode body) {
        for (JsonNode refusal : row.path("refuses")) {
            String what = refusal.path("what").asText();
            if (has(body, what)) {
                refused.add(what);
                return Optional.of(new Fault.Foreign(refusal.path("status").asInt(), "application/json",
                        refusal.path("body").asText()));
            }
        }
        return Optional.empty();
    }

    private boolean has(JsonNode body, String what) {
        String form = body.path("response_format").path("type").asText("");
        return switch (what) {
            case "form" -> !form.isEmpty();
            case "form and tools" -> !form.isEmpty() && body.has("tools");
            case "json_schema", "json_object" -> form.equals(what);
            case "system" -> body.path("messages").path(0).path("role").asText().equals("system");
            case "tool_choice" -> body.path("tool_choice").asText().equals("none");
            case "thoughts" -> turns(body).stream().anyMatch(
                    turn -> row.path("thoughts").properties().stream().anyMatch(field -> turn.has(field.getKey())));
            default -> body.has(what) && !(body.path(what).isArray() && body.path(what).isEmpty());
        };
    }

    private static List<JsonNode> turns(JsonNode body) {
        List<JsonNode> turns = new ArrayList<>();
        body.path("messages").forEach(message -> {
            if (message.path("role").asText().equals("assistant")) {
                turns.add(message);
            }
        });
        return turns;
    }

    private void addTo(ObjectNode message) {
        if (message.path("tool_calls").isEmpty()) {
            return;
        }
        row.path("thoughts").properties().forEach(field -> message.set(field.getKey(), field.getValue()));
        message.path("tool_calls").forEach(call -> row.path("calls").properties()
                .forEach(field -> ((ObjectNode) call).set(field.getKey(), field.getValue())));
        if (row.has("parts")) {
            message.set("content", row.path("parts"));
        }
    }

    /// The body as the protocol has it, if all that the server said beside that has come back.
    private JsonNode plain(JsonNode body, Consumer<String> violations) {
        JsonNode plain = body.deepCopy();
        boolean takesThoughts = FakeProvider.stream(row.path("refuses"))
                .noneMatch(refusal -> refusal.path("what").asText().equals("thoughts"));
        for (JsonNode turn : turns(plain)) {
            take((ObjectNode) turn, takesThoughts ? row.path("thoughts") : Json.object(), violations);
            turn.path("tool_calls").forEach(call -> take((ObjectNode) call, row.path("calls"), violations));
            if (row.has("parts")) {
                take((ObjectNode) turn, Json.object().set("content", row.path("parts")), violations);
            }
        }
        return plain;
    }

    private static void take(ObjectNode said, JsonNode expected, Consumer<String> violations) {
        expected.properties().stream().filter(field -> !field.getValue().isNull()).forEach(field -> {
            if (!field.getValue().equals(said.remove(field.getKey()))) {
                violations.accept("Missing `" + field.getKey() + "`, or not as it was");
            }
        });
    }
}

package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.base.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the made-up providers refuse, by requests written by hand: a check that finds nothing would
/// be worth nothing.
@Timeout(300)
class FakeProvidersRefusalsTest {
    private record Answered(int status, String body) {}

    /// @param change what is put into the good body: a field with a value, or with null to take it
    ///   out
    /// @param violation part of what the server says
    private record Wrong(Provider wire, String change, String violation) {}

    private static final Map<Provider, String> PATHS =
            Map.of(Provider.ANTHROPIC, "/v1/messages", Provider.OPENAI, "/v1/chat/completions",
                    Provider.RESPONSES, "/v1/responses", Provider.GEMINI, "/v1beta/models/m:generateContent",
                    Provider.OLLAMA, "/api/chat");
    private static final String GOOD =
            "{'model': 'm', 'messages': [{'role': 'user', 'content': 'Hi'}], 'stream': false}";
    private static final String GOOD_FOR_GEMINI = "{'contents': [{'role': 'user', 'parts': [{'text': 'Hi'}]}]}";
    private static final String CALL =
            "{'role': 'model', 'parts': [{'functionCall': {'id': 'a', 'name': 'f', 'args': {}}}]}";

    private static JsonNode good(Provider wire) {
        return Json.parse((switch (wire) {
            case ANTHROPIC -> GOOD.replace("'stream'", "'max_tokens': 10, 'stream'");
            case OPENAI, OLLAMA -> GOOD;
            case RESPONSES -> GOOD.replace("messages", "input");
            case GEMINI -> GOOD_FOR_GEMINI;
        }).replace('\'', '"'));
    }

    private static Answered post(FakeProvider server, Provider wire, String body) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + PATHS.get(wire)))
                    .headers("content-type", "application/json", "x-api-key", FakeProvider.KEY, "x-goog-api-key",
                            FakeProvider.KEY, "anthropic-version", "2023-06-01", "authorization",
                            "Bearer " + FakeProvider.KEY)
                    .POST(HttpRequest.BodyPublishers.ofString(body)).build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answered(response.statusCode(), response.body());
        }
    }

    static Stream<Wrong> wrongs() {
        return Stream.of(new Wrong(Provider.ANTHROPIC, "{'mode': 'm'}", "mode: extra inputs are not permitted"),
                new Wrong(Provider.ANTHROPIC, "{'messages': [{'role': 'assistant', 'content': 'Hi'}]}",
                        "must alternate"),
                new Wrong(Provider.ANTHROPIC, "{'tool_choice': {'type': 'auto'}}", "while providing tools"),
                new Wrong(Provider.OPENAI, "{'max_tokens': 1, 'max_completion_tokens': 1}", "must not both be set"),
                new Wrong(Provider.OPENAI, "{'messages': [{'role': 'robot', 'content': 'Hi'}]}",
                        "messages[0].role must be one of"),
                new Wrong(Provider.RESPONSES, "{'store': true}", "stores nothing"),
                new Wrong(Provider.RESPONSES,
                        "{'input': [{'type': 'function_call_output', 'call_id': 'a', 'output': ''}]}",
                        "the results are of [a]"),
                new Wrong(Provider.GEMINI, "{'contents': [" + CALL + "]}", "missing a thought_signature"),
                new Wrong(Provider.OLLAMA, "{'stream': null}", "stream: field required"),
                new Wrong(Provider.OLLAMA, "{'options': {'max_tokens': 3}}", "options.max_tokens"));
    }

    @ParameterizedTest
    @MethodSource("wrongs")
    void whatIsWrongIsRefusedAndRemembered(Wrong wrong) throws Exception {
        ObjectNode body = (ObjectNode) good(wrong.wire());
        Json.parse(wrong.change().replace('\'', '"')).properties().forEach(field -> {
            if (field.getValue().isNull()) {
                body.remove(field.getKey());
            } else {
                body.set(field.getKey(), field.getValue());
            }
        });
        try (FakeProvider server = wrong.wire().start(Answerer.always("Hi."))) {
            assertThat(post(server, wrong.wire(), good(wrong.wire()).toString()).status()).isEqualTo(200);
            assertThat(server.violations()).isEmpty();

            Answered answered = post(server, wrong.wire(), body.toString());
            assertThat(answered.status()).isEqualTo(400);
            assertThat(answered.body()).contains("\"error\"").contains(wrong.violation());
            assertThat(server.violations()).anyMatch(violation -> violation.contains(wrong.violation()));
            assertThat(server.received()).hasSize(2);
        }
    }
}

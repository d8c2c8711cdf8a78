package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.adapter.tool.ParseScoreTool;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer;
import io.mlestar.core.task.Price;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The search that OpenAI does itself, which only its Responses API has.
class OpenAiSearchTest {
    private static final Retriever RETRIEVER = new Retriever("Predict y.", 1, null);
    private static final Price PRICE = new Price(0, 0);
    private static final String MARK = " ([a.example](https://a.example/?utm_source=openai))";
    private static final String SEARCHED =
            """
                    {"type": "reasoning", "id": "rs_1", "encrypted_content": "sealed", "summary": []},
                    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "best model"}},
                    {"type": "web_search_call", "id": "ws_2", "status": "completed", "action": {"type": "open_page", "url": "https://a.example"}},
                    {"type": "web_search_call", "id": "ws_3", "status": "completed", "action": {"type": "search", "query": "more"}}""";
    private static final String CALL =
            """
                    {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "ParseScore", "arguments": "{\\"output\\": \\"x\\"}", "status": "completed"}""";

    private static Fault response(String status, String output) {
        return new Fault.Foreign(200, "application/json", """
                {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", %s, "output": [%s],
                 "usage": {"input_tokens": 7000, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 20,
                 "output_tokens_details": {"reasoning_tokens": 1}, "total_tokens": 9}}""".formatted(status, output));
    }

    private static ModelRequest question(boolean searches, List<Tool> tools) {
        ModelRequest made = ProviderSearchTest.question(searches, names -> tools);
        return new ModelRequest(made.step(), made.agent(), made.system(), made.prompt(), made.tools(), made.turns(),
                made.outputFormat(),
                Optional.of(PRICE), made.timeout(), made.traits());
    }

    private static Answer ask(FakeProvider server, ModelRequest question) {
        return Provider.OPENAI.model(server).ask(question);
    }

    /// A text with marks of what is cited, which stand wherever they like.
    private static String message(String... parts) {
        String text = String.join(MARK, parts);
        ObjectNode content = Json.object().put("type", "output_text").put("text", text);
        ArrayNode marks = content.putArray("annotations");
        for (int at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) {
            int start = text.codePointCount(0, at);
            marks.addObject().put("type", "url_citation").put("start_index", start)
                    .put("end_index", start + MARK.length()).put("title", "A")
                    .put("url", "https://a.example");
        }
        ObjectNode message = Json.object().put("type", "message").put("id", "msg_1").put("role", "assistant")
                .put("status", "completed");
        message.putArray("content").add(content);
        return message.toString();
    }

    @Test
    void whatItFoundIsReadWithoutMarksAndEachSearchIsPaidFor() throws IOException {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("never"))) {
            server.plan(response("\"status\": \"completed\"", SEARCHED + ","
                    + message("I looked 🦜. {\"models\": [{\"model_name\": \"Light",
                            "GBM\", \"example_code\": \"import lightgbm", "\"}]}")));
            Answer answer = ask(server, question(true, List.of()));
            assertThat(answer.text()).startsWith("I looked 🦜. {");
            assertThat(answer.readBy(RETRIEVER).models()).singleElement().satisfies(model -> {
                assertThat(model.modelName()).isEqualTo("LightGBM");
                assertThat(model.exampleCode()).isEqualTo("import lightgbm");
            });
            assertThat(answer.usage().costUsd()).as("a page that was opened is free").isCloseTo(0.02, within(1e-9));
            assertThat(answer.usage().outputTokens()).isEqualTo(20);
            FakeProvider.Received request = server.received().getFirst();
            assertThat(request.path()).isEqualTo("/v1/responses");
            JsonNode body = request.body();
            assertThat(body.path("tools").toString()).isEqualTo("[{\"type\":\"web_search\"}]");
            assertThat(body.path("max_tool_calls").asInt()).isEqualTo(8);
            assertThat(body.path("max_output_tokens").asInt()).isEqualTo(16_384);
            assertThat(body.path("store").asBoolean(true)).isFalse();
            assertThat(body.has("text")).as("marks and a schema do not go together").isFalse();
            assertThat(server.violations()).isEmpty();
        }
    }

    /// What is no mark, or stands nowhere, is left alone.
    @Test
    void aMarkIsCutOnlyWhereThereIsOne() throws IOException {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("never"))) {
            ObjectNode message = (ObjectNode) Json.parse(message("abcdefgh"));
            ArrayNode marks = (ArrayNode) message.path("content").path(0).path("annotations");
            for (int[] place : new int[][] {{0, 3}, {-1, 4}, {2, 99}, {5, 5}, {7, 3}}) {
                marks.addObject().put("type", "url_citation").put("start_index", place[0]).put("end_index", place[1]);
            }
            server.plan(response("\"status\": \"completed\"", message.toString()));
            assertThat(ask(server, question(true, List.of())).text()).isEqualTo("abcdefgh");
        }
    }

    @Test
    void whatItHasThoughtAndFoundIsSentBackAsItCameWithTheResultsOfTools() throws IOException {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("{\"models\": []}"))) {
            server.plan(response("\"status\": \"completed\"", SEARCHED + "," + CALL));
            assertThat(ask(server, question(true, List.of(ParseScoreTool.tool()))).shortfall()).isNull();
            JsonNode input = server.received().getLast().body().path("input");
            assertThat(input).extracting(item -> item.path("type").asText())
                    .containsExactly("message", "message", "reasoning", "web_search_call", "web_search_call",
                            "web_search_call", "function_call",
                            "function_call_output");
            assertThat(input.toString()).contains("sealed", "best model", "rs_1", "fc_1");
            assertThat(server.violations()).isEmpty();
        }
    }

    @Test
    void thoughtsThatCameUnsealedCannotBeSentBackNorWhatRefersToThem() throws IOException {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("{\"models\": []}"))) {
            server.plan(response("\"status\": \"completed\"",
                    SEARCHED.replace("\"encrypted_content\": \"sealed\", ", "") + "," + CALL));
            assertThat(ask(server, question(true, List.of(ParseScoreTool.tool()))).shortfall()).isNull();
            assertThat(server.received().getLast().body().path("input").toString()).contains("call_1")
                    .doesNotContain("rs_1", "ws_1", "fc_1");
            assertThat(server.violations()).isEmpty();
        }
    }
}

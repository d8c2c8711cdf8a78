package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.adapter.tool.ParseScoreTool;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.step.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The search that a provider does itself, with no other key than the model's.
class ProviderSearchTest {
    private static final Retriever RETRIEVER = new Retriever("Predict y.", 1, null);
    private static final String FOUND =
            """
                    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "best model"}},
                    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"type": "web_search_result", "url": "https://a.example",
                     "title": "A", "encrypted_content": "kept", "page_age": null}]},""";
    /// Citations part a text wherever they like.
    private static final String TEXT =
            """
                    {"type": "text", "text": "I looked. {\\"models\\": [{\\"model_name\\": \\"Light"},
                    {"type": "text", "text": "GBM\\", \\"example_code\\"", "citations": [{"type": "web_search_result_location", "url": "https://a.example",
                     "title": "A", "encrypted_index": "i", "cited_text": "c"}]},
                    {"type": "text", "text": ": \\"import lightgbm\\"}]}"}""";

    private static Fault message(String content, String stop) {
        return message(content, stop, 3);
    }

    private static Fault message(String content, String stop, int searches) {
        return new Fault.Foreign(200, "application/json",
                """
                        {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [%s], "stop_reason": "%s", "stop_sequence": null,
                         "usage": {"input_tokens": 7000, "output_tokens": 20, "server_tool_use": {"web_search_requests": %d}}}"""
                        .formatted(content, stop, searches));
    }

    static ModelRequest question(boolean canSearch, Function<List<String>, List<Tool>> tools) {
        return ModelRequest.of(Optional.empty(), RETRIEVER, Prompts.load(Map.of()), CutAnswerTest.context(),
                Waiting.MOST, tools, canSearch);
    }

    private static Answer ask(FakeProvider server, ModelRequest question) {
        return new Models(Provider.ANTHROPIC.environment(server.url())).get("anthropic:claude-sonnet-5").ask(question);
    }

    /// The answer shows one search, which may be paid for though the usage tells of none.
    @ParameterizedTest
    @CsvSource({"3, 0.0442", "0, 0.0242"})
    void whatItFoundIsReadAsOneTextAndEachSearchIsPaidFor(int told, double usd) throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.start(Answerer.always("never"))) {
            server.plan(message(FOUND + TEXT, "end_turn", told));
            Answer answer = ask(server, question(true, names -> List.of()));
            assertThat(answer.readBy(RETRIEVER).models()).singleElement().satisfies(model -> {
                assertThat(model.modelName()).isEqualTo("LightGBM");
                assertThat(model.exampleCode()).isEqualTo("import lightgbm");
            });
            assertThat(answer.usage().costUsd()).isCloseTo(usd, within(1e-9));
            JsonNode body = server.received().getFirst().body();
            assertThat(body.path("tools").toString()).contains("\"type\":\"web_search_20250305\"",
                    "\"name\":\"web_search\"", "\"max_uses\":8");
            assertThat(body.has("output_config")).as("citations and a schema do not go together").isFalse();
            assertThat(body.path("messages").toString()).contains("Search the web for the models");
            assertThat(server.violations()).isEmpty();
        }
    }

    /// Its client would forget what was found, and with it what was paid for.
    @Test
    void whatItFoundIsSentBackAsItCameWhenItPausesOrUsesATool() throws IOException {
        for (String stop : List.of("pause_turn", "tool_use")) {
            try (FakeProvider server = Provider.ANTHROPIC.start(Answerer.always("{\"models\": []}"))) {
                String call =
                        ", {\"type\": \"tool_use\", \"id\": \"toolu_1\", \"name\": \"ParseScore\", \"input\": {}}";
                server.plan(message(FOUND + TEXT + (stop.equals("tool_use") ? call : ""), stop));
                Answer answer = ask(server, question(true, names -> List.of(ParseScoreTool.tool())));
                assertThat(answer.shortfall()).isNull();
                assertThat(server.received()).as(stop).hasSize(2);
                assertThat(server.received().getLast().body().path("messages").path(1).toString())
                        .contains("srvtoolu_1", "encrypted_content", "kept");
                assertThat(server.violations()).as(stop).isEmpty();
            }
        }
    }
}

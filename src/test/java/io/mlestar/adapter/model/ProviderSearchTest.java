package io.mlestar.adapter.model;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.ProjectFiles;
import io.mlestar.adapter.tool.ParseScoreTool;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.task.Price;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The search that a provider does itself, with no other key than the model's. OpenAI's Responses
/// API alone has one; Gemini's goes with signed thoughts.
class ProviderSearchTest {
    private static final Retriever RETRIEVER = new Retriever("Predict y.", 1, null);
    private static final Price FREE = new Price(0, 0);
    private static final ModelRequest ASKING = Questions.of(RETRIEVER, false, names -> List.of());
    private static final ModelRequest SEARCHING =
            Questions.at(FREE, Questions.of(RETRIEVER, true, names -> List.of()));
    private static final ModelRequest SEARCHING_WITH_A_TOOL =
            Questions.at(FREE, Questions.of(RETRIEVER, true, names -> List.of(ParseScoreTool.tool())));

    /// An answer as the provider wrote it; citations part its text wherever they like.
    private static String written(String file) {
        return ProjectFiles.text(Path.of("src/test/resources/searches").resolve(file));
    }

    private static Fault says(String body) {
        return new Fault.Foreign(200, "application/json", body);
    }

    private static Answer askAnthropic(FakeProvider server, List<Tool> tools) {
        return new Models(Provider.ANTHROPIC.environment(server.url())).get("anthropic:claude-sonnet-5")
                .ask(Questions.of(RETRIEVER, true, names -> tools));
    }

    private static void holdsLightGbm(Answer answer) {
        assertThat(answer.readBy(RETRIEVER).models()).singleElement().satisfies(model -> {
            assertThat(model.modelName()).isEqualTo("LightGBM");
            assertThat(model.exampleCode()).isEqualTo("import lightgbm");
        });
    }

    /// The answer shows one search, which may be paid for though the usage tells of none.
    @ParameterizedTest
    @CsvSource({"3, 0.0442", "0, 0.0242"})
    void whatAnthropicFoundIsReadAsOneTextAndEachSearchIsPaidFor(int told, double usd) throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.saying("never")) {
            server.plan(says(written("anthropic.json").replace("requests\": 3", "requests\": " + told)));
            Answer answer = askAnthropic(server, List.of());
            holdsLightGbm(answer);
            assertThat(answer.usage().costUsd()).isCloseTo(usd, within(1e-9));
            JsonNode body = server.received().getFirst().body();
            assertThat(body.path("tools").toString()).contains("\"type\":\"web_search_20250305\"",
                    "\"name\":\"web_search\"", "\"max_uses\":8");
            assertThat(body.has("output_config")).as("citations and a schema do not go together").isFalse();
            assertThat(body.path("messages").toString()).contains("Search the web for the models");
        }
    }

    /// Its client would forget what was found, and with it what was paid for.
    @Test
    void whatAnthropicFoundIsSentBackAsItCameWhenItPausesOrUsesATool() throws IOException {
        String call = """
                , {"type": "tool_use", "id": "toolu_1", "name": "ParseScore", "input": {}}""";
        for (String stop : List.of("pause_turn", "tool_use")) {
            try (FakeProvider server = Provider.ANTHROPIC.saying("{\"models\": []}")) {
                server.plan(says(written("anthropic.json").replace("], \"stop_reason\": \"end_turn",
                        (stop.equals("tool_use") ? call : "") + "], \"stop_reason\": \"" + stop)));
                Answer answer = askAnthropic(server, List.of(ParseScoreTool.tool()));
                assertThat(answer.shortfall()).isNull();
                assertThat(server.received()).as(stop).hasSize(2);
                assertThat(server.received().getLast().body().path("messages").path(1).toString())
                        .contains("srvtoolu_1", "encrypted_content", "kept");
            }
        }
    }

    private static Answer askOpenAi(FakeProvider server, List<Tool> tools) {
        return Provider.OPENAI.model(server).ask(Questions.at(FREE, Questions.of(RETRIEVER, true, names -> tools)));
    }

    @Test
    void whatOpenAiFoundIsReadWithoutMarksAndEachSearchIsPaidFor() throws IOException {
        try (FakeProvider server = Provider.OPENAI.saying("never")) {
            server.plan(says(written("openai.json")));
            Answer answer = askOpenAi(server, List.of());
            assertThat(answer.text()).startsWith("I looked 🦜. {");
            holdsLightGbm(answer);
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
        }
    }

    /// Text that is no mark, and a mark that stands nowhere, are left alone.
    @Test
    void aMarkIsCutOnlyWhereThereIsOne() throws IOException {
        try (FakeProvider server = Provider.OPENAI.saying("never")) {
            JsonNode response = Json.parse(written("openai.json"));
            ObjectNode content = (ObjectNode) response.at("/output/4/content/0");
            ArrayNode marks = content.put("text", "abcdefgh").putArray("annotations");
            for (int[] place : new int[][] {{0, 3}, {-1, 4}, {2, 99}, {5, 5}, {7, 3}}) {
                marks.addObject().put("type", "url_citation").put("start_index", place[0]).put("end_index", place[1]);
            }
            server.plan(says(response.toString()));
            assertThat(askOpenAi(server, List.of()).text()).isEqualTo("abcdefgh");
        }
    }

    @Test
    void whatOpenAiThoughtAndFoundIsSentBackAsItCameWithTheResultsOfTools() throws IOException {
        try (FakeProvider server = Provider.OPENAI.saying("{\"models\": []}")) {
            server.plan(says(written("openai-call.json")));
            assertThat(askOpenAi(server, List.of(ParseScoreTool.tool())).shortfall()).isNull();
            JsonNode input = server.received().getLast().body().path("input");
            assertThat(input).extracting(item -> item.path("type").asText())
                    .containsExactly("message", "message", "reasoning", "web_search_call", "web_search_call",
                            "web_search_call", "function_call",
                            "function_call_output");
            assertThat(input.toString()).contains("sealed", "best model", "rs_1", "fc_1");

            server.plan(says(written("openai-call.json").replace("\"encrypted_content\": \"sealed\", ", "")));
            assertThat(askOpenAi(server, List.of(ParseScoreTool.tool())).shortfall()).isNull();
            assertThat(server.received().getLast().body().path("input").toString())
                    .as("unsealed thoughts, and what refers to them")
                    .contains("call_1").doesNotContain("rs_1", "ws_1", "fc_1");
        }
    }

    private static Answer askGemini(FakeProvider server, String model, ModelRequest question) {
        return new Models(Provider.GEMINI.environment(server.url())).get("gemini:" + model).ask(question);
    }

    @Test
    void whatGeminiFoundIsReadAsOneTextAndEachQueryIsPaidFor() throws IOException {
        try (FakeProvider server = Provider.GEMINI.saying("never")) {
            server.plan(says(written("gemini.json")));
            Answer answer = askGemini(server, "gemini-3.8-flash", SEARCHING);
            assertThat(answer.text()).startsWith("I looked.");
            holdsLightGbm(answer);
            assertThat(answer.usage().costUsd()).isCloseTo(3 * 0.014, within(1e-9));
            JsonNode body = server.received().getFirst().body();
            assertThat(body.path("tools").toString()).isEqualTo("[{\"google_search\":{}}]");
            assertThat(body.path("generationConfig").path("maxOutputTokens").asInt()).isEqualTo(64_000);
            assertThat(body.toString()).contains("Search the web for the models");
        }
    }

    /// The search's result belongs to the turn, and has to come back with the results of tools.
    @Test
    void searchAndToolsGoTogetherAtGeminiAndTheTurnComesBackWhole() throws IOException {
        try (FakeProvider server = Provider.GEMINI.saying("{\"models\": []}")) {
            JsonNode said = Json.parse(written("gemini-call.json"));
            server.plan(says(said.toString()));
            ((GeminiServer) server).hasSaid(said.at("/candidates/0/content/parts"));
            Answer answer = askGemini(server, "gemini-3.8-flash", SEARCHING_WITH_A_TOOL);
            assertThat(answer.shortfall()).isNull();
            assertThat(server.received()).hasSize(2);
            JsonNode body = server.received().getLast().body();
            assertThat(body.path("toolConfig").path("includeServerSideToolInvocations").asBoolean()).isTrue();
            assertThat(body.path("contents").path(1).path("parts").toString()).contains("sealed-1", "sealed-2",
                    "sealed-3", "LightGBM");
        }
    }

    @Test
    void anOlderModelOfGeminiSearchesWithoutToolsAndPaysOnceForARequest() throws IOException {
        try (FakeProvider server = Provider.GEMINI.saying("never")) {
            server.plan(says(written("gemini.json").replace("gemini-3.8-flash", "gemini-2.5-pro")));
            Answer answer = askGemini(server, "gemini-2.5-pro", SEARCHING_WITH_A_TOOL);
            assertThat(answer.usage().costUsd()).isCloseTo(0.035, within(1e-9));
            assertThat(server.received().getFirst().body().path("tools").toString())
                    .isEqualTo("[{\"google_search\":{}}]");
        }
    }

    @Test
    void theFormOfAnAnswerIsAskedForBesideToolsOnlyWhereAModelOfGeminiKnowsBoth() throws IOException {
        for (String model : List.of("gemini-2.5-pro", "gemini-3.8-flash")) {
            try (FakeProvider server = Provider.GEMINI.saying("{\"models\": []}")) {
                askGemini(server, model, ASKING);
                askGemini(server, model, Questions.of(RETRIEVER, false, names -> List.of(ParseScoreTool.tool())));
                assertThat(server.received())
                        .extracting(request -> request.body().path("generationConfig").has("responseJsonSchema"))
                        .containsExactly(true, model.startsWith("gemini-3"));
            }
        }
    }

    @Test
    void thoughtsOfGeminiAreOutputAndWhatWasCachedIsTold() throws IOException {
        try (FakeProvider server = Provider.GEMINI.saying("never")) {
            server.plan(says(written("gemini.json").replace("webSearchQueries", "none")));
            Answer.Usage usage =
                    askGemini(server, "gemini-3.8-flash", Questions.at(new Price(1, 10, 0.1, null), ASKING)).usage();
            assertThat(List.of(usage.inputTokens(), usage.outputTokens(), usage.cachedTokens())).containsExactly(140L,
                    320L, 60L);
            assertThat(usage.costUsd()).isCloseTo((80 * 1 + 60 * 0.1 + 320 * 10) / 1e6, within(1e-12));
        }
    }

    /// Gemini's status for that is 400.
    @Test
    void aKeyThatIsWrongForGeminiIsToldAsOne() throws IOException {
        try (FakeProvider server = Provider.GEMINI.saying("never")) {
            Fault wrong = new Fault.Foreign(400, "application/json",
                    """
                            {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT", "details": [
                             {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}]}}""");
            server.plan(wrong, wrong);
            refusal(StepFailed.class, () -> askGemini(server, "made-up", Questions.question()))
                    .contains("refuses the key", "check the API key, GEMINI_API_KEY");
            assertThat(new Models(Provider.GEMINI.environment(server.url())).probe("gemini:made-up"))
                    .isInstanceOf(Probe.Wrong.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1beta", "/v1beta/", "/v1beta/openai", "/v1beta/openai/"})
    void theAddressOfGeminisInterfaceThatSpeaksAsOpenAiDoesIsStillGood(String path) throws IOException {
        try (FakeProvider server = Provider.GEMINI.saying("fine")) {
            Map<String, String> environment = new HashMap<>(Provider.GEMINI.environment(server.url()));
            environment.put("GEMINI_BASE_URL", server.url() + path);
            assertThat(new Models(environment).get("gemini:made-up").ask(Questions.question()).text())
                    .isEqualTo("fine");
            assertThat(server.received().getFirst().path()).isEqualTo("/v1beta/models/made-up:generateContent");
        }
    }

    @Test
    void aNameThatWouldBePartOfAnotherAddressIsRefused() {
        refusal(() -> new Models(Provider.GEMINI.environment("http://127.0.0.1")).get("gemini:a?b=c"))
                .isEqualTo("\"a?b=c\" is no name of a model of Gemini");
    }
}

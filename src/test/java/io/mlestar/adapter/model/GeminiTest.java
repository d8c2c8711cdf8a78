package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.adapter.tool.ParseScoreTool;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.task.Price;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is Gemini's own: grounding by Google's search, signed thoughts, blocked prompts.
class GeminiTest {
    private static final Retriever RETRIEVER = new Retriever("Predict y.", 1, null);
    private static final Price FREE = new Price(0, 0);
    private static final String GROUNDED =
            ", \"groundingMetadata\": {\"webSearchQueries\": [\"best model\", \"more\", \"yet more\"]}";
    private static final String TEXT = """
            {"text": "I think.", "thought": true}, {"text": "I looked. {\\"models\\": [{\\"model_name\\": \\"Light"},
            {"text": "GBM\\", \\"example_code\\": \\"import lightgbm\\"}]}"}""";
    private static final String SEARCH_AND_CALL =
            """
                    {"toolCall": {"id": "s1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["best model"]}}, "thoughtSignature": "sealed-1"},
                    {"toolResponse": {"id": "s1", "toolType": "GOOGLE_SEARCH_WEB", "response": {"found": "LightGBM"}}, "thoughtSignature": "sealed-2"},
                    {"functionCall": {"id": "c1", "name": "ParseScore", "args": {"output": "x"}}, "thoughtSignature": "sealed-3"}""";

    private static Fault answer(String model, String parts, String reason, String more) {
        return new Fault.Foreign(200, "application/json",
                """
                        {"candidates": [{"content": {"role": "model", "parts": [%s]}, "finishReason": "%s", "index": 0%s}], "modelVersion": "%s",
                         "usageMetadata": {"promptTokenCount": 100, "toolUsePromptTokenCount": 40, "candidatesTokenCount": 20, "thoughtsTokenCount": 300,
                         "cachedContentTokenCount": 60, "totalTokenCount": 460}, "responseId": "r"}"""
                        .formatted(parts, reason, more, model));
    }

    private static ModelRequest question(boolean searches, Price price, List<Tool> tools) {
        ModelRequest made = ProviderSearchTest.question(searches, names -> tools);
        return new ModelRequest(made.step(), made.agent(), made.system(), made.prompt(), made.tools(), made.turns(),
                made.outputFormat(),
                Optional.of(price), made.timeout(), made.traits());
    }

    private static Answer ask(FakeProvider server, String model, ModelRequest question) {
        return new Models(Provider.GEMINI.environment(server.url()), InstantSource.system(), pause -> {},
                ModelCallListener.NONE).get("gemini:" + model)
                .ask(question);
    }

    @Test
    void whatItFoundIsReadAsOneTextAndEachQueryIsPaidFor() throws IOException {
        try (FakeProvider server = Provider.GEMINI.start(Answerer.always("never"))) {
            server.plan(answer("gemini-3.8-flash", TEXT, "STOP", GROUNDED));
            Answer answer = ask(server, "gemini-3.8-flash", question(true, FREE, List.of()));
            assertThat(answer.text()).startsWith("I looked.");
            assertThat(answer.readBy(RETRIEVER).models()).singleElement()
                    .satisfies(model -> assertThat(model.modelName()).isEqualTo("LightGBM"));
            assertThat(answer.usage().costUsd()).isCloseTo(3 * 0.014, within(1e-9));
            JsonNode body = server.received().getFirst().body();
            assertThat(body.path("tools").toString()).isEqualTo("[{\"google_search\":{}}]");
            assertThat(body.path("generationConfig").path("maxOutputTokens").asInt()).isEqualTo(64_000);
            assertThat(body.toString()).contains("Search the web for the models");
            assertThat(server.violations()).isEmpty();
        }
    }

    /// What the search found belongs to the turn, and has to come back with the results of tools.
    @Test
    void searchAndToolsGoTogetherAndTheTurnComesBackWhole() throws IOException {
        try (FakeProvider server = Provider.GEMINI.start(Answerer.always("{\"models\": []}"))) {
            server.plan(answer("gemini-3.8-flash", SEARCH_AND_CALL, "STOP", GROUNDED));
            ((GeminiServer) server).hasSaid("[" + SEARCH_AND_CALL + "]");
            Answer answer = ask(server, "gemini-3.8-flash", question(true, FREE, List.of(ParseScoreTool.tool())));
            assertThat(answer.shortfall()).isNull();
            assertThat(server.received()).hasSize(2);
            JsonNode body = server.received().getLast().body();
            assertThat(body.path("toolConfig").path("includeServerSideToolInvocations").asBoolean()).isTrue();
            assertThat(body.path("contents").path(1).path("parts").toString()).contains("sealed-1", "sealed-2",
                    "sealed-3", "LightGBM");
            assertThat(server.violations()).isEmpty();
        }
    }

    @Test
    void anOlderModelSearchesWithoutToolsAndPaysOnceForARequest() throws IOException {
        try (FakeProvider server = Provider.GEMINI.start(Answerer.always("never"))) {
            server.plan(answer("gemini-2.5-pro", TEXT, "STOP", GROUNDED));
            Answer answer = ask(server, "gemini-2.5-pro", question(true, FREE, List.of(ParseScoreTool.tool())));
            assertThat(answer.usage().costUsd()).isCloseTo(0.035, within(1e-9));
            assertThat(server.received().getFirst().body().path("tools").toString())
                    .isEqualTo("[{\"google_search\":{}}]");
            assertThat(server.violations()).isEmpty();
        }
    }

    @Test
    void theFormOfAnAnswerIsAskedForBesideToolsOnlyWhereTheModelKnowsBoth() throws IOException {
        for (String model : List.of("gemini-2.5-pro", "gemini-3.8-flash")) {
            try (FakeProvider server = Provider.GEMINI.start(Answerer.always("{\"models\": []}"))) {
                ask(server, model, question(false, FREE, List.of()));
                ask(server, model, question(false, FREE, List.of(ParseScoreTool.tool())));
                assertThat(server.received())
                        .extracting(request -> request.body().path("generationConfig").has("responseJsonSchema"))
                        .containsExactly(true, model.startsWith("gemini-3"));
                assertThat(server.violations()).isEmpty();
            }
        }
    }

    @Test
    void thoughtsAreOutputAndWhatWasCachedIsTold() throws IOException {
        try (FakeProvider server = Provider.GEMINI.start(Answerer.always("never"))) {
            server.plan(answer("gemini-3.8-flash", TEXT, "STOP", ""));
            Answer.Usage usage =
                    ask(server, "gemini-3.8-flash", question(false, new Price(1, 10, 0.1, null), List.of())).usage();
            assertThat(List.of(usage.inputTokens(), usage.outputTokens(), usage.cachedTokens())).containsExactly(140L,
                    320L, 60L);
            assertThat(usage.costUsd()).isCloseTo((80 * 1 + 60 * 0.1 + 320 * 10) / 1e6, within(1e-12));
        }
    }

    /// Its status for that is 400.
    @Test
    void aWrongKeyIsToldAsOne() throws IOException {
        try (FakeProvider server = Provider.GEMINI.start(Answerer.always("never"))) {
            Fault wrong = new Fault.Foreign(400, "application/json",
                    """
                            {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT", "details": [
                             {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}]}}""");
            server.plan(wrong, wrong);
            assertThatThrownBy(() -> ask(server, "made-up", LanguageModelTest.question()))
                    .isInstanceOf(StepFailed.class)
                    .hasMessageContaining("refuses the key").hasMessageContaining("check the API key, GEMINI_API_KEY");
            assertThat(new Models(Provider.GEMINI.environment(server.url())).probe("gemini:made-up"))
                    .isInstanceOf(Probe.Wrong.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1beta", "/v1beta/", "/v1beta/openai", "/v1beta/openai/"})
    void theAddressOfTheInterfaceThatSpeaksAsOpenAiDoesIsStillGood(String path) throws IOException {
        try (FakeProvider server = Provider.GEMINI.start(Answerer.always("fine"))) {
            Map<String, String> environment = new HashMap<>(Provider.GEMINI.environment(server.url()));
            environment.put("GEMINI_BASE_URL", server.url() + path);
            assertThat(new Models(environment).get("gemini:made-up").ask(LanguageModelTest.question()).text())
                    .isEqualTo("fine");
            assertThat(server.received().getFirst().path()).isEqualTo("/v1beta/models/made-up:generateContent");
        }
    }

    @Test
    void aNameThatWouldBePartOfAnotherAddressIsRefused() {
        assertThatExceptionOfType(Invalid.class)
                .isThrownBy(() -> new Models(Provider.GEMINI.environment("http://127.0.0.1")).get("gemini:a?b=c"))
                .withMessage("\"a?b=c\" is no name of a model of Gemini");
    }
}

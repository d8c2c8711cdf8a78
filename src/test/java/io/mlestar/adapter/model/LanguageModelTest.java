package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Price;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each provider over its real wire format, against a server that refuses what the provider would
/// refuse.
@Timeout(300)
class LanguageModelTest {
    private static final Price PRICE = new Price(3, 15, 0.3, 3.75);

    enum Provider {
        ANTHROPIC, OPENAI, RESPONSES, GEMINI, OLLAMA;

        FakeProvider start(Answerer answerer) throws IOException {
            return switch (this) {
                case ANTHROPIC -> new AnthropicServer(answerer);
                case OPENAI, RESPONSES -> new OpenAiServer(answerer);
                case GEMINI -> new GeminiServer(answerer);
                case OLLAMA -> new OllamaServer(answerer);
            };
        }

        Model model(FakeProvider server) {
            return model(server, pause -> {}, ModelCallListener.NONE);
        }

        Model model(FakeProvider server, Retries.Sleeper sleeper, ModelCallListener watcher) {
            return model(server, InstantSource.system(), sleeper, watcher);
        }

        Model model(FakeProvider server, InstantSource clock, Retries.Sleeper sleeper, ModelCallListener watcher) {
            return new Models(environment(server.url()), clock, sleeper, watcher).get(modelName());
        }

        String modelName() {
            return switch (this) {
                case ANTHROPIC -> "anthropic:thinking-made-up";
                case OPENAI -> "openai:made-up";
                case RESPONSES -> "responses:thinking-made-up";
                case GEMINI -> "gemini:made-up";
                case OLLAMA -> "ollama:made-up";
            };
        }

        /// @param url of the server, without a path
        Map<String, String> environment(String url) {
            return switch (this) {
                case ANTHROPIC -> Map.of("ANTHROPIC_API_KEY", FakeProvider.KEY, "ANTHROPIC_BASE_URL", url + "/v1/");
                case OPENAI -> Map.of("OPENAI_API_KEY", FakeProvider.KEY, "OPENAI_BASE_URL", url + "/v1");
                case RESPONSES ->
                    Map.of("RESPONSES_API_KEY", FakeProvider.KEY, "RESPONSES_BASE_URL", url + "/v1", "MLE_STAR_MODELS",
                            Path.of("src/test/resources/models-responses.yaml").toAbsolutePath().toString());
                case GEMINI -> Map.of("GEMINI_API_KEY", FakeProvider.KEY, "GEMINI_BASE_URL", url + "/v1beta");
                case OLLAMA -> Map.of("OLLAMA_BASE_URL", url);
            };
        }
    }

    private static ModelRequest question(String agent, Optional<JsonNode> format, Duration timeout) {
        return new ModelRequest(Optional.of(StepPath.parse("run-7/phase1/candidate0/init")), agent,
                "You are a grandmaster.", "Write it.",
                List.of(), 20, format, Optional.of(PRICE), timeout, ModelRequest.Traits.NONE);
    }

    /// A tool that says what it was given, and refuses one thing.
    private record Echo() implements Tool {
        @Override
        public String name() {
            return "Read";
        }

        @Override
        public String description() {
            return "Reads a file.";
        }

        @Override
        public JsonNode parameters() {
            return Json
                    .parse("""
                            {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": false}""");
        }

        @Override
        public String call(JsonNode arguments) {
            if (arguments.path("path").asText().equals("secret")) {
                throw new ToolRefused("that is not yours to read");
            }
            return "the content of " + arguments.path("path").asText();
        }
    }

    /// Notes what it is told, and sends a header with each call.
    private record Heard(List<String> lines) implements ModelCallListener {
        @Override
        public Map<String, String> headers(StepPath step) {
            return Map.of("traceparent", "of " + step);
        }

        @Override
        public void retried(Optional<StepPath> step, String provider, String reason, String said) {
            lines.add(provider + " " + reason + " of " + step.orElseThrow());
        }

        @Override
        public void answered(Optional<StepPath> step, String provider) {
            lines.add(provider + " answered");
        }
    }

    static ModelRequest withTools() {
        return new ModelRequest(Optional.empty(), "init", "You are a grandmaster.", "Write it.", List.of(new Echo()),
                20, Optional.empty(),
                Optional.of(PRICE), Waiting.MOST, ModelRequest.Traits.NONE);
    }

    static ModelRequest question() {
        return question("init", Optional.empty(), Waiting.MOST);
    }

    @ParameterizedTest
    @EnumSource
    @Requirement({"REQ-OR-005", "REQ-OR-027"})
    void anAnswerComesWithItsUsageItsCostAndTheHeadersOfItsStep(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("print(1)"))) {
            Answer answer = provider.model(server, pause -> {}, new Heard(new ArrayList<>())).ask(question());
            assertThat(answer.text()).isEqualTo("print(1)");
            assertThat(answer.usage().model()).endsWith("made-up");
            assertThat(answer.usage().inputTokens()).isPositive();
            assertThat(answer.usage().outputTokens()).isPositive();
            assertThat(answer.usage().costUsd()).isPositive();
            assertThat(server.violations()).isEmpty();
            FakeProvider.Received request = server.received().getFirst();
            assertThat(request.header("x-mlestar-run")).contains("run-7");
            assertThat(request.header("x-mlestar-step")).contains("run-7/phase1/candidate0/init");
            assertThat(request.header("x-mlestar-agent")).contains("init");
            assertThat(request.header("traceparent")).as("its listener's").contains("of run-7/phase1/candidate0/init");
            assertThat(request.path() + request.body()).contains("You are a grandmaster.", "Write it.", "made-up");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement({"REQ-P1-003", "REQ-P2O-014", "REQ-SF-015", "REQ-DM-049"})
    void aStructuredAnswerIsAskedForByItsSchema(Provider provider) throws IOException {
        for (AgentConfig agent : AgentConfig.defaults().values()) {
            try (FakeProvider server = provider.start(Answerer.always("{\"answers\": []}"))) {
                provider.model(server).ask(question("any", agent.toOutputFormat(), Waiting.MOST));
                assertThat(server.violations()).as("%s", agent).isEmpty();
            }
        }
        try (FakeProvider server = provider.start(Answerer.always("{\"answers\": []}"))) {
            JsonNode format = AgentConfig.defaults().get(AgentType.LEAKAGE).toOutputFormat().orElseThrow();
            provider.model(server).ask(question("leakage", Optional.of(format), Waiting.MOST));
            assertThat(server.received().getFirst().body().toString()).contains("leakage_status", "Yes Data Leakage",
                    "code_block");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-052")
    void whatMayPassIsTriedAgainAndTheListenerIsToldWhy(Provider provider) throws IOException {
        Map<Fault, String> faults = Map.of(Fault.status(429), "rate_limit", Fault.status(529), "overload",
                Fault.status(500), "overload", Fault.status(503), "overload", Fault.Cut.BEFORE_THE_ANSWER, "connection",
                Fault.Cut.IN_THE_BODY, "connection", Fault.Malformed.BODY, "unreadable");
        for (Map.Entry<Fault, String> fault : faults.entrySet()) {
            List<String> heard = new ArrayList<>();
            try (FakeProvider server = provider.start(Answerer.always("fine"))) {
                server.plan(fault.getKey());
                assertThat(provider.model(server, pause -> {}, new Heard(heard)).ask(question()).text())
                        .as(fault.toString()).isEqualTo("fine");
                assertThat(server.received()).as(fault.toString()).hasSize(2);
                String name = provider.name().toLowerCase(Locale.ROOT);
                assertThat(heard).containsExactly(
                        name + " " + fault.getValue() + " of run-7/phase1/candidate0/init", name + " answered");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void retryAfterIsHonouredButForTheTimeThatIsLeft(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("fine"))) {
            server.plan(Fault.status(429, "9"));
            List<Duration> pauses = new ArrayList<>();
            assertThat(provider.model(server, pauses::add, ModelCallListener.NONE).ask(question()).text())
                    .isEqualTo("fine");
            assertThat(pauses).containsExactly(Duration.ofSeconds(9));
            server.plan(Fault.status(429, "3600"));
            assertThatThrownBy(() -> provider.model(server).ask(question())).isInstanceOf(ModelUnavailable.class);
            assertThat(server.received()).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-052")
    void aServerThatStaysBrokenIsGivenUp(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(Fault.status(503), Fault.status(503), Fault.status(503), Fault.status(503));
            List<Long> pauses = new ArrayList<>();
            Model model = provider.model(server, pause -> pauses.add(pause.toMillis()), ModelCallListener.NONE);
            assertThatThrownBy(() -> model.ask(question())).isInstanceOf(ModelUnavailable.class)
                    .hasMessageContaining("made-up");
            assertThat(server.received()).hasSize(4);
            assertThat(pauses).as("with a quarter more by chance").satisfiesExactly(
                    first -> assertThat(first).isBetween(1_000L, 1_250L),
                    second -> assertThat(second).isBetween(2_000L, 2_500L),
                    third -> assertThat(third).isBetween(4_000L, 5_000L));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "OLLAMA", mode = EnumSource.Mode.EXCLUDE)
    @Requirement("REQ-OR-046")
    void aRefusedKeyIsNotTriedAgainAndNeverShown(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(Fault.status(401));
            assertThatThrownBy(() -> provider.model(server).ask(question())).isInstanceOf(StepFailed.class)
                    .hasMessageContaining("API key").hasMessageNotContaining(FakeProvider.KEY);
            assertThat(server.received()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "OLLAMA", mode = EnumSource.Mode.EXCLUDE)
    void aServerThatSaysTheKeyBackDoesNotGiveItAway(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(new Fault.Foreign(400, "application/json",
                    "{\"error\": {\"message\": \"what is " + FakeProvider.KEY + "?\"}}"));
            assertThatThrownBy(() -> provider.model(server).ask(question())).isInstanceOf(StepFailed.class)
                    .hasMessageContaining("what is [key]?");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsFarLongerThanAnAnswerIsNotTakenIn(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("fine"))) {
            server.plan(new Fault.Foreign(200, "application/json", "{\"text\": \"" + "x".repeat(17 << 20) + "\"}"));
            assertThat(provider.model(server).ask(question()).text()).as("of the next try").isEqualTo("fine");
            assertThat(server.received()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedRequestIsNotTriedAgain(Provider provider) throws IOException {
        for (int status : new int[] {400, 404}) {
            try (FakeProvider server = provider.start(Answerer.always("never"))) {
                server.plan(Fault.status(status));
                assertThatThrownBy(() -> provider.model(server).ask(question())).as("%d", status)
                        .isInstanceOf(StepFailed.class);
                assertThat(server.received()).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHungServerCannotHangTheRun(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("late"))) {
            server.plan(Fault.slow(Duration.ofHours(1)));
            ModelRequest impatient = question("init", Optional.empty(), Duration.ofMillis(300));
            assertThatThrownBy(() -> provider.model(server).ask(impatient)).isInstanceOf(ModelUnavailable.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersArriveAsTheyWereGiven(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("half an answer"))) {
            server.plan(Fault.unicode(), Fault.huge(), Fault.emptyText(), Fault.emptyText(), Fault.emptyText(),
                    Fault.truncated());
            Model model = provider.model(server);
            assertThat(model.ask(question()).text()).isEqualTo(Fault.UNICODE);
            assertThat(model.ask(question()).text()).hasSize(Fault.HUGE);
            assertThat(model.ask(question()).text()).as("of three tries").isEmpty();
            Answer cut = model.ask(question());
            assertThat(cut.text()).isEqualTo("half an");
            assertThat(cut.shortfall()).isEqualTo(Answer.Shortfall.TRUNCATED);
            assertThat(server.violations()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-008")
    void aModelUsesItsToolsUntilItAnswers(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("done"))) {
            server.plan(Fault.toolFirst("Read", "{\"path\": \"a.csv\"}"),
                    Fault.toolFirst("Read", "{\"path\": \"secret\"}"),
                    Fault.toolFirst("Teleport", "{}"));
            Answer answer = provider.model(server).ask(withTools());
            assertThat(answer.text()).isEqualTo("done");
            assertThat(server.violations()).isEmpty();
            assertThat(server.received()).hasSize(4);
            assertThat(server.received().getLast().body().toString()).contains("the content of a.csv",
                    "that is not yours to read",
                    "there is no tool Teleport");
            long first = provider.model(server).ask(question()).usage().inputTokens();
            assertThat(answer.usage().inputTokens()).as("all turns are paid for").isGreaterThan(first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void severalToolsInOneTurnAndArgumentsThatAreNoneAreAnswered(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(asked -> Reply.text(String.join("; ", asked.toolResults())))) {
            // OpenAI's arguments are a string that may hold anything; the others cannot but send an
            // object.
            boolean isText = provider == Provider.OPENAI || provider == Provider.RESPONSES;
            String broken = isText ? "\"{\\\"path\\\": \"" : "{}";
            server.plan(
                    Fault.instead(Reply.calls(Reply.call("Read", "{\"path\": \"a\"}"), Reply.call("Read", broken))));
            Answer answer = provider.model(server).ask(withTools());
            assertThat(answer.text()).startsWith("the content of a; ")
                    .contains(isText ? "Error: not valid JSON" : "the content of ");
            assertThat(server.violations()).isEmpty();
        }
    }
}

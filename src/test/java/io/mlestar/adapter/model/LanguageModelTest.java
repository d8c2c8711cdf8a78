package io.mlestar.adapter.model;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.AgentType;
import module java.base;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Each provider over its real wire format, against a server that refuses what the provider would
/// refuse; and what servers send that is not as their protocol has it, each as it was seen, with
/// status 200.
@Timeout(300)
class LanguageModelTest {
    private static final Planner PLANNER = new Planner("x = 1", null, List.of("scale it"), List.of(0.5), null, null);
    /// The text around an answer, by the word that a row has in its place.
    private static final Map<String, String> AROUND = Map.of(
            "CHOICE", "{'id': 'c', 'object': 'chat.completion', 'created': 1, 'model': 'm', 'choices': [%s]}",
            "CONTENT", "{'id': 'm', 'type': 'message', 'role': 'assistant', 'model': 'm', 'stop_reason': 'end_turn', "
                    + "'usage': {'input_tokens': 1, 'output_tokens': 1}, 'content': %s}",
            "OUTPUT", "{'id': 'r', 'object': 'response', 'created_at': 1, 'model': 'm', 'status': 'completed', "
                    + "'output': %s}",
            "PARTS", "{'candidates': [{'finishReason': 'STOP', 'content': {'role': 'model', 'parts': %s}}]}",
            "MESSAGE", "{'model': 'm', 'created_at': '2026-08-01T00:00:00Z', 'done': true, 'done_reason': 'stop', "
                    + "'message': %s}");

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

    @ParameterizedTest
    @EnumSource
    @Requirement({"REQ-OR-005", "REQ-OR-027"})
    void anAnswerComesWithItsUsageItsCostAndTheHeadersOfItsStep(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("print(1)")) {
            Answer answer = provider.model(server, pause -> {}, new Heard(new ArrayList<>())).ask(Questions.question());
            assertThat(answer.text()).isEqualTo("print(1)");
            assertThat(answer.usage().model()).endsWith("made-up");
            assertThat(answer.usage().inputTokens()).isPositive();
            assertThat(answer.usage().outputTokens()).isPositive();
            assertThat(answer.usage().costUsd()).isPositive();
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
        try (FakeProvider server = provider.saying("{\"answers\": []}")) {
            Model model = provider.model(server);
            AgentConfig.defaults().values()
                    .forEach(agent -> model.ask(Questions.inForm(agent.toOutputFormat(), Questions.question())));
            model.ask(Questions.inForm(AgentConfig.defaults().get(AgentType.LEAKAGE).toOutputFormat(),
                    Questions.question()));
            assertThat(server.received().getLast().body().toString()).contains("leakage_status", "Yes Data Leakage",
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
        String name = provider.name().toLowerCase(Locale.ROOT);
        try (FakeProvider server = provider.saying("fine")) {
            faults.forEach((fault, reason) -> {
                List<String> heard = new ArrayList<>();
                server.plan(fault);
                assertThat(provider.model(server, pause -> {}, new Heard(heard)).ask(Questions.question()).text())
                        .as(fault.toString()).isEqualTo("fine");
                assertThat(heard).containsExactly(name + " " + reason + " of run-7/phase1/candidate0/init",
                        name + " answered");
            });
            assertThat(server.received()).hasSize(2 * faults.size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void retryAfterIsHonouredButForTheTimeThatIsLeft(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("fine")) {
            server.plan(Fault.status(429, "9"));
            List<Duration> pauses = new ArrayList<>();
            assertThat(provider.model(server, pauses::add, ModelCallListener.NONE).ask(Questions.question()).text())
                    .isEqualTo("fine");
            assertThat(pauses).containsExactly(Duration.ofSeconds(9));
            server.plan(Fault.status(429, "3600"));
            assertThatThrownBy(() -> ask(provider, server))
                    .isInstanceOf(ModelUnavailable.class);
            assertThat(server.received()).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-052")
    void aServerThatStaysBrokenIsGivenUp(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("never")) {
            server.plan(Fault.status(503), Fault.status(503), Fault.status(503), Fault.status(503));
            List<Long> pauses = new ArrayList<>();
            Model model = provider.model(server, pause -> pauses.add(pause.toMillis()), ModelCallListener.NONE);
            refusal(ModelUnavailable.class, () -> model.ask(Questions.question())).contains("made-up");
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
        try (FakeProvider server = provider.saying("never")) {
            server.plan(Fault.status(401));
            refusal(StepFailed.class, () -> ask(provider, server)).contains("API key").doesNotContain(FakeProvider.KEY);
            assertThat(server.received()).hasSize(1);
            server.plan(new Fault.Foreign(400, "application/json",
                    "{\"error\": {\"message\": \"what is " + FakeProvider.KEY + "?\"}}"));
            refusal(StepFailed.class, () -> ask(provider, server)).contains("what is [key]?");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsFarLongerThanAnAnswerIsNotTakenIn(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("fine")) {
            server.plan(new Fault.Foreign(200, "application/json", "{\"text\": \"" + "x".repeat(17 << 20) + "\"}"));
            assertThat(ask(provider, server).text()).as("of the next try").isEqualTo("fine");
            assertThat(server.received()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedRequestIsNotTriedAgain(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("never")) {
            server.plan(Fault.status(400), Fault.status(404));
            assertThatThrownBy(() -> ask(provider, server)).isInstanceOf(StepFailed.class);
            assertThatThrownBy(() -> ask(provider, server)).isInstanceOf(StepFailed.class);
            assertThat(server.received()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersArriveAsTheyWereGiven(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("half an answer")) {
            server.plan(Fault.unicode(), Fault.huge(), Fault.emptyText(), Fault.emptyText(), Fault.emptyText(),
                    Fault.truncated());
            Model model = provider.model(server);
            assertThat(model.ask(Questions.question()).text()).isEqualTo(Fault.UNICODE);
            assertThat(model.ask(Questions.question()).text()).hasSize(Fault.HUGE);
            assertThat(model.ask(Questions.question()).text()).as("of three tries").isEmpty();
            Answer cut = model.ask(Questions.question());
            assertThat(cut.text()).isEqualTo("half an");
            assertThat(cut.shortfall()).isEqualTo(Answer.Shortfall.TRUNCATED);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-008")
    void aModelUsesItsToolsUntilItAnswers(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("done")) {
            server.plan(Fault.toolFirst("Read", "{\"path\": \"a.csv\"}"),
                    Fault.toolFirst("Read", "{\"path\": \"secret\"}"), Fault.toolFirst("Teleport", "{}"));
            Answer answer = provider.model(server).ask(Questions.withTools());
            assertThat(answer.text()).isEqualTo("done");
            assertThat(server.received()).hasSize(4);
            assertThat(server.received().getLast().body().toString()).contains("the content of a.csv",
                    "that is not yours to read",
                    "there is no tool Teleport");
            long first = ask(provider, server).usage().inputTokens();
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
            Answer answer = provider.model(server).ask(Questions.withTools());
            assertThat(answer.text()).startsWith("the content of a; ")
                    .contains(isText ? "Error: not valid JSON" : "the content of ");
        }
    }

    /// A row's body, in which single quotes stand for double ones.
    private static Fault body(String written) {
        String word = written.split(" ")[0];
        String body = AROUND.getOrDefault(word, "%s").formatted(AROUND.containsKey(word)
                ? written.substring(word.length()).strip() : written);
        return new Fault.Foreign(200, "application/json",
                body.replace('\'', '"').replace("BOM", "\uFEFF").replace("LF", "\n"));
    }

    private static Answer ask(Provider provider, FakeProvider server) {
        return provider.model(server).ask(Questions.question());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/passing-errors.csv", delimiter = '|', quoteCharacter = '`')
    @Requirement("REQ-OR-052")
    void anErrorThatMayPassIsTriedAgain(Provider provider, String body) throws IOException {
        try (FakeProvider server = provider.saying("fine")) {
            server.plan(body(body), body(body));
            assertThat(ask(provider, server).text()).isEqualTo("fine");
            assertThat(server.received()).hasSize(3);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/final-errors.csv", delimiter = '|', quoteCharacter = '`')
    void anErrorThatStaysIsFinalInTheServersOwnWords(Provider provider, int tries, String body, String sentence)
            throws IOException {
        try (FakeProvider server = provider.saying("never")) {
            server.plan(Collections.nCopies(5, body(body)).toArray(Fault[]::new));
            refusal(StepFailed.class, () -> ask(provider, server)).contains(sentence);
            assertThat(server.received()).hasSize(tries);
            assertThat(new Models(provider.environment(server.url())).probe(provider.modelName()).toString())
                    .contains(sentence);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/empty.csv", delimiter = '|', quoteCharacter = '`')
    void anEmptyAnswerIsAskedForAgain(Provider provider, String body) throws IOException {
        try (FakeProvider server = provider.saying("fine")) {
            server.plan(body(body));
            assertThat(ask(provider, server).text()).isEqualTo("fine");
            assertThat(server.received()).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/readable.csv", delimiter = '|', quoteCharacter = '`')
    void whatCanBeReadIsRead(Provider provider, String body) throws IOException {
        try (FakeProvider server = provider.saying("never")) {
            server.plan(body(body.replace("BOMMESSAGE",
                    "BOM{'model': 'm', 'done': true, 'message': {'role': 'assistant', 'content': 'ok'}}")));
            Answer answer = ask(provider, server);
            assertThat(answer.text()).isEqualTo("ok");
            assertThat(answer.shortfall()).isNull();
            assertThat(server.received()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/reasons-to-stop.csv", delimiter = '|', quoteCharacter = '`')
    void theReasonToStopIsKnownByAllItsNames(Provider provider, Shortfall shortfall, String body)
            throws IOException {
        try (FakeProvider server = provider.saying("never")) {
            server.plan(body(body));
            Answer answer = ask(provider, server);
            assertThat(answer.shortfall()).isEqualTo(shortfall);
            assertThat(answer.text()).isEqualTo(shortfall == Shortfall.REFUSED ? "" : "half");
            assertThat(server.received()).as("it is not asked again").hasSize(1);
            if (shortfall == Shortfall.REFUSED) {
                refusal(UnreadableAnswer.class, () -> answer.readBy(PLANNER)).isEqualTo("the model refused to answer");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    OPENAI    | CHOICE {'index': 0, 'message': {'role': 'assistant', 'tool_calls': [{'id': 'a', 'type': 'function', 'function': {'name': 'Read', 'arguments': null}}]}}
                    RESPONSES | OUTPUT [{'type': 'function_call', 'id': 'fc_1', 'call_id': 'a', 'name': 'Read', 'arguments': null, 'status': 'completed'}]
                    ANTHROPIC | CONTENT [{'type': 'tool_use', 'id': 'toolu_a', 'name': 'Read', 'input': null}]
                    OLLAMA    | MESSAGE {'role': 'assistant', 'content': '', 'tool_calls': [{'function': {'name': 'Read', 'arguments': null}}]}
                    """)
    void aToolCallWithoutArgumentsIsAnsweredLikeAnyOther(Provider provider, String body) throws IOException {
        try (FakeProvider server = provider.start(asked -> Reply.text(String.join("; ", asked.toolResults())))) {
            server.plan(body(body));
            assertThat(provider.plainModel(server).ask(Questions.withTools()).text()).isEqualTo("the content of ");
            assertThat(server.received()).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    ANTHROPIC | {'type':'message','content':[{'type':'of_tomorrow','said':'kept'},{'type':'text'},{'type':'tool_use','id':'t','name':'Read','input':{}}],'stop_reason':'tool_use'} | 'type':'of_tomorrow','said':'kept'
                    OPENAI    | data: {'choices':[{'index':0,'delta':{'reasoning_content':'I '}}]}LFdata: {'choices':[{'index':0,'delta':{'reasoning_content':'look','tool_calls':[{'index':0,'id':'c','function':{'name':'Read','arguments':'{}'},'extra_content':{'sign':'x'}}]},'finish_reason':'tool_calls'}]} | 'extra_content':{'sign':'x'}}],'content':'','reasoning_content':'I look'
                    OLLAMA    | {'message':{'thinking':'I '}}LF{'message':{'thinking':'look','tool_calls':[{'function':{'name':'Read','arguments':{}}}]},'done':true} | 'thinking':'I look'
                    """)
    void whatNobodyKnowsInATurnGoesBackWithTheResultsOfItsTools(Provider provider, String turn, String back)
            throws IOException {
        try (FakeProvider server = provider.saying("never")) {
            server.tolerate();
            server.plan(body(turn));
            Model model = provider.plainModel(server);
            assertThat(model.ask(Questions.withTools())).isNotNull();
            assertThat(server.received().get(1).body().toString()).contains(back.replace('\'', '"'));
            assertThat(model.ask(Questions.question())).isNotNull();
            assertThat(server.received().getLast().body().toString()).doesNotContain(back.replace('\'', '"'));
        }
    }
}

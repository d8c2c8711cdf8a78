package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepFailed;
import java.io.IOException;
import java.util.Collections;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// What servers send that is not as their protocol has it, each as it was seen: with status 200.
@Timeout(300)
class OddAnswersTest {
    private static final String OPENAI_HEAD =
            "{'id': 'c', 'object': 'chat.completion', 'created': 1, 'model': 'm', 'choices': [";

    /// A row's body, in which single quotes stand for double ones, and the usual beginning may be
    /// left out.
    private static Fault body(Provider provider, String written) {
        String body = written.startsWith("CHOICE") ? OPENAI_HEAD + written.substring("CHOICE".length()).strip() + "]}"
                : written.startsWith("CONTENT")
                        ? "{'id': 'm', 'type': 'message', 'role': 'assistant', 'model': 'm', 'stop_reason': 'end_turn', "
                                + "'usage': {'input_tokens': 1, 'output_tokens': 1}, 'content': "
                                + written.substring("CONTENT".length()).strip() + "}"
                : written.startsWith("OUTPUT")
                        ? "{'id': 'r', 'object': 'response', 'created_at': 1, 'model': 'm', 'status': 'completed', 'output': "
                                + written.substring("OUTPUT".length()).strip() + "}"
                : written.startsWith("PARTS")
                        ? "{'candidates': [{'finishReason': 'STOP', 'content': {'role': 'model', 'parts': "
                                + written.substring("PARTS".length()).strip() + "}}]}"
                : written.startsWith("MESSAGE")
                        ? "{'model': 'm', 'created_at': '2026-08-01T00:00:00Z', 'done': true, 'done_reason': 'stop', 'message': "
                                + written.substring("MESSAGE".length()).strip() + "}"
                : written;
        return new Fault.Foreign(200, "application/json",
                body.replace('\'', '"').replace("BOM", "\uFEFF").replace("LF", "\n"));
    }

    private static Answer ask(Provider provider, FakeProvider server) {
        return provider.model(server).ask(LanguageModelTest.question());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/passing-errors.csv", delimiter = '|', quoteCharacter = '`')
    @Requirement("REQ-OR-052")
    void anErrorThatMayPassIsTriedAgain(Provider provider, String body) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("fine"))) {
            server.plan(body(provider, body), body(provider, body));
            assertThat(ask(provider, server).text()).isEqualTo("fine");
            assertThat(server.received()).hasSize(3);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/final-errors.csv", delimiter = '|', quoteCharacter = '`')
    void anErrorThatStaysIsFinalInTheServersOwnWords(Provider provider, int tries, String body, String sentence)
            throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(Collections.nCopies(5, body(provider, body)).toArray(Fault[]::new));
            assertThatThrownBy(() -> ask(provider, server)).isInstanceOf(StepFailed.class)
                    .hasMessageContaining(sentence);
            assertThat(server.received()).hasSize(tries);
            assertThat(new Models(provider.environment(server.url())).probe(provider.modelName()).toString())
                    .contains(sentence);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/empty.csv", delimiter = '|', quoteCharacter = '`')
    void anEmptyAnswerIsAskedForAgain(Provider provider, String body) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("fine"))) {
            server.plan(body(provider, body));
            assertThat(ask(provider, server).text()).isEqualTo("fine");
            assertThat(server.received()).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/readable.csv", delimiter = '|', quoteCharacter = '`')
    void whatCanBeReadIsRead(Provider provider, String body) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(body(provider, body.replace("BOMMESSAGE",
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
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(body(provider, body));
            Answer answer = ask(provider, server);
            assertThat(answer.shortfall()).isEqualTo(shortfall);
            assertThat(answer.text()).isEqualTo(shortfall == Shortfall.REFUSED ? "" : "half");
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
            server.plan(body(provider, body));
            // A model that thinks would want its thoughts back.
            Model model =
                    new Models(provider.environment(server.url())).get(provider.modelName().replace("thinking-", ""));
            assertThat(model.ask(LanguageModelTest.withTools()).text()).isEqualTo("the content of ");
            assertThat(server.received()).hasSize(2);
            assertThat(server.violations()).isEmpty();
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
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(body(provider, turn));
            Model model =
                    new Models(provider.environment(server.url())).get(provider.modelName().replace("thinking-", ""));
            assertThat(model.ask(LanguageModelTest.withTools())).isNotNull();
            assertThat(server.received().get(1).body().toString()).contains(back.replace('\'', '"'));
            assertThat(model.ask(LanguageModelTest.question())).isNotNull();
            assertThat(server.received().getLast().body().toString()).doesNotContain(back.replace('\'', '"'));
        }
    }
}

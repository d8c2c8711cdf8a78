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
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    OPENAI    | {'error': {'message': 'Rate limit exceeded', 'code': 429}}
                    OPENAI    | {'error': {'message': 'Provider returned error', 'code': '502'}, 'user_id': 'u'}
                    OPENAI    | {'error': {'message': 'Too fast', 'type': 'rate_limit_error'}}
                    OPENAI    | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': 'half'}, 'finish_reason': 'error', 'error': {'code': 502, 'message': 'x'}}
                    OPENAI    | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': 'half'}, 'finish_reason': 'ERROR'}
                    RESPONSES | {'error': {'message': 'Slow down', 'code': 'rate_limit_exceeded'}}
                    RESPONSES | {'id': 'r', 'status': 'failed', 'error': {'code': 'server_error', 'message': 'oh'}, 'output': []}
                    ANTHROPIC | {'type': 'error', 'error': {'type': 'overloaded_error', 'message': 'Overloaded'}}
                    GEMINI    | [{'error': {'code': 503, 'message': 'The model is overloaded.', 'status': 'UNAVAILABLE'}}]
                    OLLAMA    | {'error': 'server busy, please try again.  maximum pending requests exceeded'}
                    """)
    @Requirement("REQ-OR-052")
    void anErrorThatMayPassIsTriedAgain(Provider provider, String body) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("fine"))) {
            server.plan(body(provider, body), body(provider, body));
            assertThat(ask(provider, server).text()).isEqualTo("fine");
            assertThat(server.received()).hasSize(3);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    OPENAI    | 1 | {'error': {'message': 'No endpoints found for m', 'code': 404}}          | No endpoints found for m
                    OPENAI    | 1 | {'error': {'message': 'Not today', 'type': 'invalid_request_error'}}     | Not today
                    RESPONSES | 1 | {'error': 'Unexpected endpoint or method. (POST /v1/responses)'}         | Unexpected endpoint or method
                    ANTHROPIC | 1 | {'type': 'error', 'error': {'type': 'authentication_error', 'message': 'Bad key'}} | Bad key
                    GEMINI    | 1 | {'error': {'code': 400, 'message': 'Bad', 'status': 'INVALID_ARGUMENT'}} | Bad
                    OLLAMA    | 1 | {'error': 'model m not found, try pulling it first'}                 | not found, try pulling it first
                    OPENAI    | 2 | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': 'x'}, 'finish_reason': 'content_filter: RECITATION'} | recitation
                    OPENAI    | 2 | {'error': 'Something is odd here'}                                       | Something is odd here
                    RESPONSES | 2 | {'error': {'message': 'Something is odd here'}}                          | Something is odd here
                    OPENAI    | 2 | {'id': 'c', 'object': 'chat.completion', 'model': 'm'}                   | makes no sense
                    ANTHROPIC | 2 | not JSON at all                                                          | not JSON
                    """)
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
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    OPENAI    | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': null}, 'finish_reason': 'stop'}
                    OPENAI    | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': ''}, 'finish_reason': 'stop'}
                    OPENAI    | CHOICE {'index': 0, 'message': {'role': 'assistant'}, 'finish_reason': null}
                    RESPONSES | OUTPUT []
                    RESPONSES | OUTPUT [{'type': 'message', 'id': 'm', 'role': 'assistant', 'content': [{'type': 'output_text', 'text': null}]}]
                    ANTHROPIC | CONTENT []
                    ANTHROPIC | CONTENT [{'type': 'text', 'text': ' '}]
                    ANTHROPIC | CONTENT null
                    GEMINI    | PARTS []
                    GEMINI    | PARTS [{'text': null}]
                    OLLAMA    | {'model': 'm', 'created_at': '2026-08-01T00:00:00Z', 'done': true, 'done_reason': 'load', 'message': {'role': 'assistant', 'content': ''}}
                    OLLAMA    | MESSAGE {'role': 'assistant', 'content': null}
                    """)
    void anEmptyAnswerIsAskedForAgain(Provider provider, String body) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("fine"))) {
            server.plan(body(provider, body));
            assertThat(ask(provider, server).text()).isEqualTo("fine");
            assertThat(server.received()).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    OPENAI    | BOM{'choices': [{'index': 0, 'message': {'role': 'assistant', 'content': 'ok'}, 'finish_reason': 'stop'}]}
                    OPENAI    | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': [{'type': 'text', 'text': 'o'}, {'type': 'text', 'text': 'k'}]}}
                    OPENAI    | data: {'choices': [{'delta': {'role': 'assistant', 'content': 'o'}}]}LFLFdata: {'choices': [{'delta': {'content': 'k'}, 'finish_reason': 'stop'}]}LFLFdata: [DONE]LF
                    RESPONSES | event: response.created LFdata: {'type': 'response.created', 'response': {}}LFLFdata: {'type': 'response.completed', 'response': {'id': 'r', 'status': 'completed', 'output': [{'type': 'message', 'content': [{'type': 'output_text', 'text': 'ok'}]}]}}LF
                    ANTHROPIC | CONTENT 'ok'
                    ANTHROPIC | CONTENT [{'type': 'from_the_future', 'depth': 3, 'text': 'y'}, {'type': 'text', 'text': 'ok'}, {'type': 'text', 'text': null}]
                    ANTHROPIC | event: message_start LFdata: {'type': 'message_start', 'message': {'id': 'm', 'role': 'assistant', 'content': [], 'usage': {'input_tokens': 3}}}LFLFdata: {'type': 'content_block_start', 'index': 0, 'content_block': {'type': 'text', 'text': ''}}LFLFdata: {'type': 'content_block_delta', 'index': 0, 'delta': {'type': 'text_delta', 'text': 'ok'}}LFLFdata: {'type': 'message_delta', 'delta': {'stop_reason': 'end_turn'}, 'usage': {'output_tokens': 5}}LFLFdata: {'type': 'message_stop'}LF
                    GEMINI    | data: {'candidates': [{'content': {'role': 'model', 'parts': [{'text': 'o'}]}}]}LFLFdata: {'candidates': [{'content': {'parts': [{'text': 'k'}]}, 'finishReason': 'STOP'}]}LF
                    GEMINI    | PARTS [{'text': 'ok'}, {'text': null}]
                    OLLAMA    | {'model': 'm', 'message': {'role': 'assistant', 'content': 'o'}, 'done': false}LF{'model': 'm', 'message': {'role': 'assistant', 'content': 'k'}, 'done': true, 'done_reason': 'stop'}LF
                    OLLAMA    | BOMMESSAGE
                    """)
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
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    OPENAI    | TRUNCATED | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': 'half'}, 'finish_reason': 'MAX_TOKENS'}
                    OPENAI    | TRUNCATED | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': 'half'}, 'finish_reason': 'Length'}
                    OPENAI    | REFUSED   | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': 'half'}, 'finish_reason': 'SAFETY'}
                    OPENAI    |           | CHOICE {'index': 0, 'message': {'role': 'assistant', 'content': 'half'}, 'finish_reason': 'STOP'}
                    ANTHROPIC | TRUNCATED | {'id': 'm', 'type': 'message', 'role': 'assistant', 'stop_reason': 'MAX_TOKENS', 'content': [{'type': 'text', 'text': 'half'}], 'usage': {}}
                    GEMINI    | TRUNCATED | {'candidates': [{'finishReason': 'max_tokens', 'content': {'parts': [{'text': 'half'}]}}]}
                    RESPONSES | TRUNCATED | {'status': 'incomplete', 'incomplete_details': {'reason': 'MAX_TOKENS'}, 'output': [{'type': 'message', 'content': [{'type': 'output_text', 'text': 'half'}]}]}
                    OLLAMA    | TRUNCATED | {'model': 'm', 'done': true, 'done_reason': 'LENGTH', 'message': {'role': 'assistant', 'content': 'half'}}
                    """)
    void theReasonToStopIsKnownUnderItsOtherNames(Provider provider, Shortfall shortfall, String body)
            throws IOException {
        try (FakeProvider server = provider.start(Answerer.always("never"))) {
            server.plan(body(provider, body));
            assertThat(ask(provider, server).shortfall()).isEqualTo(shortfall);
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

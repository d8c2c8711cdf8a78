package io.mlestar.llm;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.step.StepPath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallWatcherTest {
    private final List<String> retries = new ArrayList<>();
    private final CallWatcher watcher = new CallWatcher() {
        @Override
        public Map<String, String> headers(StepPath step) {
            return Map.of("traceparent", "of " + step);
        }

        @Override
        public void retried(String provider, String reason) {
            retries.add(provider + " " + reason);
        }
    };

    private void ask(FakeProvider server) {
        Question question = new Question(Optional.of(StepPath.parse("run-7/phase1")), "init", "System.", "Prompt.", List.of(), 1,
                Optional.empty(), Optional.empty(), Duration.ofSeconds(20));
        assertThat(new Models(Map.of("ANTHROPIC_API_KEY", FakeProvider.KEY, "ANTHROPIC_BASE_URL", server.url() + "/v1/"),
                Duration.ofMillis(5), watcher).get("anthropic:made-up").ask(question).text()).isEqualTo("fine");
    }

    @Test
    void itsHeadersGoWithTheCall() throws IOException {
        try (FakeProvider server = new AnthropicServer(Answerer.always("fine"))) {
            ask(server);
            assertThat(server.received()).singleElement()
                    .satisfies(request -> assertThat(request.header("traceparent")).contains("of run-7/phase1"));
            assertThat(retries).isEmpty();
        }
    }

    @Test
    void itIsToldWhyACallIsMadeAgain() throws IOException {
        Map<Fault, String> reasons = Map.of(Fault.status(429), "rate_limit", Fault.status(529), "overload", Fault.status(500), "overload",
                Fault.Cut.BEFORE_THE_ANSWER, "connection", Fault.Malformed.BODY, "unreadable");
        for (Map.Entry<Fault, String> one : reasons.entrySet()) {
            retries.clear();
            try (FakeProvider server = new AnthropicServer(Answerer.always("fine"))) {
                server.plan(one.getKey());
                ask(server);
                assertThat(retries).as(one.getKey().toString()).containsExactly("anthropic " + one.getValue());
            }
        }
    }
}

package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepPath;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelCallListenerTest {
    private final List<String> retries = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final ModelCallListener watcher = new ModelCallListener() {
        @Override
        public Map<String, String> headers(StepPath step) {
            return Map.of("traceparent", "of " + step);
        }

        @Override
        public void retried(Optional<StepPath> step, String provider, String reason, String said) {
            retries.add(provider + " " + reason + " of " + step.orElseThrow());
            lines.add(said);
        }

        @Override
        public void givenUp(Optional<StepPath> step, String provider, String said) {
            lines.add("given up: " + said);
        }

        @Override
        public void answered(Optional<StepPath> step, String provider) {
            lines.add(provider + " answered");
        }
    };

    private void ask(FakeProvider server) {
        assertThat(answer(server.url()).text()).isEqualTo("fine");
    }

    private Answer answer(String url) {
        ModelRequest question = new ModelRequest(Optional.of(StepPath.parse("run-7/phase1")), "init", "System.",
                "Prompt.", List.of(), 1,
                Optional.empty(), Optional.empty(), Waiting.MOST, ModelRequest.Traits.NONE);
        return new Models(Map.of("ANTHROPIC_API_KEY", FakeProvider.KEY, "ANTHROPIC_BASE_URL", url + "/v1/"),
                InstantSource.system(), pause -> {}, watcher)
                .get("anthropic:made-up").ask(question);
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
        Map<Fault, String> reasons =
                Map.of(Fault.status(429), "rate_limit", Fault.status(529), "overload", Fault.status(500), "overload",
                        Fault.Cut.BEFORE_THE_ANSWER, "connection", Fault.Malformed.BODY, "unreadable");
        for (Map.Entry<Fault, String> one : reasons.entrySet()) {
            retries.clear();
            try (FakeProvider server = new AnthropicServer(Answerer.always("fine"))) {
                server.plan(one.getKey());
                ask(server);
                assertThat(retries).as(one.getKey().toString())
                        .containsExactly("anthropic " + one.getValue() + " of run-7/phase1");
                assertThat(lines.getLast()).isEqualTo("anthropic answered");
            }
        }
    }
}

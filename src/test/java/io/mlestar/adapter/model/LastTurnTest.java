package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.Answer;
import io.mlestar.core.task.Price;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What turns with tools have cost is never thrown away: a part of the time is kept for an answer
/// without them.
@Timeout(300)
class LastTurnTest {
    private static final String REMARK = "[No tool can be used from here on. Answer now.]";
    private static final Duration TIME_FOR_TOOLS = ModelRequest.timeForTools(ModelRequest.LONGEST);
    private static final Fault USES_A_TOOL = Fault.toolFirst("Wait", "{}");

    /// A tool that does what it likes.
    private record Wait(Supplier<String> work) implements Tool {
        @Override
        public String name() {
            return "Wait";
        }

        @Override
        public String description() {
            return "Waits.";
        }

        @Override
        public JsonNode parameters() {
            return Json.parse("{\"type\": \"object\", \"properties\": {}, \"additionalProperties\": false}");
        }

        @Override
        public String call(JsonNode arguments) {
            return work.get();
        }
    }

    private static ModelRequest question(Duration timeout, Supplier<String> work) {
        return new ModelRequest(Optional.empty(), "debugger", "You are a grandmaster.", "Repair it.",
                List.of(new Wait(work)), 20, Optional.empty(),
                Optional.of(new Price(3, 15)), timeout, ModelRequest.Traits.NONE);
    }

    /// Its clock stands still but for what a test adds: nobody sits through minutes.
    private static Model model(Provider provider, FakeProvider server, AtomicReference<Instant> now) {
        return provider.model(server, now::get, pause -> {}, ModelCallListener.NONE);
    }

    /// Each waits for a moment: side by side.
    private static void withEach(CheckedTest test) throws Exception {
        try (ExecutorService side = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> done : side
                    .invokeAll(Stream.of(Provider.values()).map(provider -> (Callable<Void>) () -> {
                        test.of(provider);
                        return null;
                    }).toList())) {
                done.get();
            }
        }
    }

    private interface CheckedTest {
        void of(Provider provider) throws Exception;
    }

    @Test
    @Requirement({"REQ-OR-027", "REQ-OR-052"})
    void aToolThatWouldTakeAllTheTimeIsStoppedAndTheModelAnswersWithoutIt() throws Exception {
        withEach(LastTurnTest::stopsTheTool);
    }

    private static void stopsTheTool(Provider provider) throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        try (FakeProvider server = provider.start(Answerer.always("print(1)"))) {
            server.plan(new Fault.Changed(_ -> {
                now.set(now.get().plus(TIME_FOR_TOOLS).minusMillis(100));
                return Reply.calls(Reply.call("Wait", "{}"));
            }));
            Instant begin = Instant.now();
            Answer answer = model(provider, server, now).ask(question(ModelRequest.LONGEST, () -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
                return "too late";
            }));
            assertThat(answer.text()).isEqualTo("print(1)");
            assertThat(answer.shortfall()).isNull();
            assertThat(answer.usage().costUsd()).isPositive();
            assertThat(Duration.between(begin, Instant.now())).isLessThan(ModelRequest.LONGEST);
            assertThat(interrupted.await(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(server.received()).hasSize(2);
            JsonNode last = server.received().getLast().body();
            assertThat(last.toString()).contains("Error: no time is left for tools").containsOnlyOnce(REMARK);
            switch (provider) {
                case ANTHROPIC, OPENAI, RESPONSES -> assertThat(last.path("tool_choice").toString()).contains("none");
                case GEMINI -> assertThat(last.at("/toolConfig/functionCallingConfig/mode").asText()).isEqualTo("NONE");
                case OLLAMA -> assertThat(last.path("tools")).isEmpty();
            }
            assertThat(server.violations()).isEmpty();
        }
    }

    @Test
    void aTurnThatOutlastsTheTimeForToolsIsFollowedByTheLastOne() throws Exception {
        withEach(LastTurnTest::outlasts);
    }

    /// Where a machine is so busy that the time is over before the server is asked, there is more
    /// of it.
    private static void outlasts(Provider provider) throws IOException {
        Duration left = Duration.ofMillis(200);
        while (!isSeenToOutlast(provider, left)) {
            left = left.multipliedBy(2);
        }
    }

    private static boolean isSeenToOutlast(Provider provider, Duration left) throws IOException {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        try (FakeProvider server = provider.start(Answerer.always("print(1)"))) {
            server.plan(USES_A_TOOL, Fault.slow(Duration.ofHours(1)));
            Answer answer = model(provider, server, now).ask(question(ModelRequest.LONGEST, () -> {
                now.set(now.get().plus(TIME_FOR_TOOLS).minus(left));
                return "seen";
            }));
            if (server.received().size() < 3) {
                return false;
            }
            assertThat(answer.text()).isEqualTo("print(1)");
            assertThat(server.received()).hasSize(3);
            assertThat(server.received().getLast().body().toString()).contains("seen").containsOnlyOnce(REMARK);
            assertThat(server.violations()).isEmpty();
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement({"REQ-OR-027", "REQ-OR-052"})
    void whatWasPaidForIsAnAnswerThoughTheProviderFails(Provider provider) throws IOException {
        for (int status : new int[] {503, 400}) {
            try (FakeProvider server = provider.start(Answerer.always("never"))) {
                server.plan(USES_A_TOOL);
                server.plan(Collections.nCopies(40, Fault.status(status)).toArray(Fault[]::new));
                AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
                Answer answer = provider
                        .model(server, now::get, pause -> now.updateAndGet(then -> then.plus(pause)),
                                ModelCallListener.NONE)
                        .ask(question(Waiting.MOST, () -> "seen"));
                assertThat(answer.shortfall()).isIn(Shortfall.BROKEN_OFF, Shortfall.UNANSWERED);
                assertThat(answer.text()).isEmpty();
                assertThat(answer.usage().costUsd()).isPositive();
                assertThat(answer.usage().inputTokens()).isPositive();
            }
        }
    }

    @Test
    void aLastTurnMaySaveWhatAnOutageWouldHaveTaken() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.start(Answerer.always("print(1)"))) {
            server.plan(USES_A_TOOL);
            server.plan(Collections.nCopies(4, Fault.status(503)).toArray(Fault[]::new));
            Answer answer = Provider.ANTHROPIC.model(server).ask(question(Waiting.MOST, () -> "seen"));
            assertThat(answer.text()).isEqualTo("print(1)");
            assertThat(answer.shortfall()).isNull();
        }
    }
}

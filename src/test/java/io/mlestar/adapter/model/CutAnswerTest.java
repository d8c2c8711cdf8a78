package io.mlestar.adapter.model;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.show.log.Ear;
import module java.base;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Questions and answers that are longer than a model's limits, of tokens and of time. Half a
/// program is not run: it is asked for once more, shorter, within the same answer. Ollama holds
/// some thousand tokens unless it is told more, and loses the beginning of what is longer.
@Timeout(300)
class CutAnswerTest {
    private static final String CODE = "x = [value * 2 for value in range(1000)]\n".repeat(40).strip();
    private static final String PROGRAM = "```python\n" + CODE + "\n```\n";
    private static final Coder CODER = new Coder("x = 1", "Double it.", null, null);
    private static final Planner PLANNER = new Planner("x = 1", null, List.of("scale it"), List.of(0.5), null, null);

    private static final String REMARK = "[No tool can be used from here on. Answer now.]";
    private static final Duration TIME_FOR_TOOLS = ModelRequest.timeForTools(ModelRequest.LONGEST);
    private static final Fault USES_A_TOOL = Fault.toolFirst("Wait", "{}");

    private static ModelRequest question(Agent<?> agent) {
        return Questions.at(Questions.PRICE, Questions.of(agent, false, names -> List.of()));
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-027")
    void halfAProgramIsAskedForAgainShorterAndBothArePaidFor(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying(PROGRAM)) {
            Model model = provider.model(server);
            double once = model.ask(question(CODER)).usage().costUsd();
            server.plan(Fault.truncated());
            Answer answer = model.ask(question(CODER));
            assertThat(answer.shortfall()).isNull();
            assertThat(answer.readBy(CODER).codeBlock()).isEqualTo(CODE);
            assertThat(answer.usage().costUsd()).isGreaterThan(1.4 * once);
            assertThat(server.received()).hasSize(3);
            assertThat(server.received().get(1).body().toString()).doesNotContain("cut off at the limit");
            assertThat(server.received().getLast().body().toString())
                    .containsOnlyOnce("Answer again, whole and much shorter");
        }
    }

    @Test
    void itIsAskedForOnceMoreOnlyAndThenKeptButNotRead() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.saying(PROGRAM)) {
            server.plan(Fault.truncated(), Fault.truncated(), Fault.truncated());
            Answer answer = Provider.ANTHROPIC.model(server).ask(question(CODER));
            assertThat(server.received()).hasSize(2);
            assertThat(answer.shortfall()).isEqualTo(Shortfall.TRUNCATED);
            refusal(UnreadableAnswer.class, () -> answer.readBy(CODER))
                    .isEqualTo("the answer was cut at the model's limit of output tokens");

            // One more is cut, and then asking fails.
            server.plan(Fault.status(400));
            Answer kept = Provider.ANTHROPIC.model(server).ask(question(CODER));
            assertThat(kept.shortfall()).isEqualTo(Shortfall.TRUNCATED);
            assertThat(kept.text()).startsWith("```python");
            assertThat(kept.usage().costUsd()).isPositive();
        }
    }

    @Test
    @Requirement("REQ-OR-029")
    void whoCountsTheMoneyIsToldFirstWhatItHasCostAndMayCostAndCanSayNo() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.saying(PROGRAM)) {
            server.plan(Fault.truncated());
            List<Double> told = new ArrayList<>();
            Answer answer = Provider.ANTHROPIC.model(server).ask(question(CODER).with((paid, estimate) -> {
                told.addAll(List.of(paid, estimate));
                return false;
            }));
            assertThat(server.received()).hasSize(1);
            assertThat(answer.shortfall()).isEqualTo(Shortfall.TRUNCATED);
            assertThat(told).hasSize(2).first().isEqualTo(answer.usage().costUsd());
            assertThat(told.getLast()).as("no less than the first one").isGreaterThanOrEqualTo(told.getFirst());
        }
    }

    @Test
    void whatCanBeReadThoughItWasCutIsNotAskedForAgain() throws IOException {
        String chatter = "It doubles. ".repeat(400);
        for (Agent<?> agent : List.of(PLANNER, CODER)) {
            try (FakeProvider server =
                    Provider.ANTHROPIC.saying(agent == CODER ? PROGRAM + chatter : chatter)) {
                server.plan(Fault.truncated());
                Answer answer = Provider.ANTHROPIC.model(server).ask(question(agent));
                assertThat(server.received()).hasSize(1);
                assertThat(answer.shortfall()).isEqualTo(Shortfall.TRUNCATED);
                assertThat(answer.readBy(agent)).isNotNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aModelThatOnlyUsesToolsIsStoppedAndPaidFor(Provider provider) throws IOException {
        try (FakeProvider server = provider.start(asked -> Reply.calls(Reply.call("Read", "{\"path\": \"again\"}")))) {
            Answer answer = provider.model(server).ask(Questions.withTools());
            assertThat(answer.shortfall()).isEqualTo(Shortfall.UNANSWERED);
            assertThat(answer.text()).isEmpty();
            assertThat(answer.usage().costUsd()).isPositive();
            assertThat(server.received()).hasSize(20);
            assertThat(server.received().getLast().body().toString()).containsOnlyOnce("Answer now.");
        }
    }

    @Test
    void aCutProgramIsNotRead() {
        Answer.Usage usage = new Answer.Usage("m", 1, 2, 0, null, 0.5);
        assertThat(new Answer("```python\nx = 2\n```\nNow it is tw", usage, Shortfall.TRUNCATED, "", "").readBy(CODER)
                .codeBlock()).isEqualTo("x = 2");
        for (String cut : List.of("```python\nx = 2\nfor i in ran", "x = 2\nfor i in ran",
                "```python\nx = 1\n```\nbecomes\n```python\nx = ")) {
            refusal(UnreadableAnswer.class, () -> new Answer(cut, usage, Shortfall.TRUNCATED, "", "").readBy(CODER))
                    .isEqualTo("the answer was cut at the model's limit of output tokens");
        }
    }

    private static ModelRequest question(int characters) {
        return Questions.of("x = 1\n".repeat(characters / 6), List.of());
    }

    private static JsonNode options(OllamaServer server) {
        return server.received().getLast().body().path("options");
    }

    @ParameterizedTest
    @CsvSource({"60, 16384", "30000, 32768", "120000, 65536"})
    void itIsToldHowMuchThePromptAndItsAnswerNeed(int characters, int tokens) throws IOException {
        try (OllamaServer server = new OllamaServer(Answerer.always("fine"))) {
            assertThat(Provider.OLLAMA.model(server).ask(question(characters)).text()).isEqualTo("fine");
            assertThat(options(server).path("num_ctx").asInt()).isEqualTo(tokens);
        }
    }

    @Test
    void whatTheModelCannotHoldIsSaid() throws IOException {
        List<String> said = new ArrayList<>();
        try (OllamaServer server = new OllamaServer(Answerer.always("fine"), 8_192);
                Ear _ = new Ear("mle_star.llm", line -> said.add(new SimpleFormatter().formatMessage(line)))) {
            Provider.OLLAMA.model(server).ask(question(60_000));
            assertThat(options(server).path("num_ctx").asInt()).isEqualTo(8_192);
        }
        assertThat(String.join("\n", said)).contains("model ollama:made-up holds 8192 tokens", "its beginning is lost",
                "a longer context");
    }

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

    private static ModelRequest waiting(Duration timeout, Supplier<String> work) {
        return Questions.within(timeout, Questions.of("Repair it.", List.of(new Wait(work))));
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
        withEach(CutAnswerTest::stopsTheTool);
    }

    private static void stopsTheTool(Provider provider) throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        try (FakeProvider server = provider.saying("print(1)")) {
            server.plan(new Fault.Changed(_ -> {
                now.set(now.get().plus(TIME_FOR_TOOLS).minusMillis(100));
                return Reply.calls(Reply.call("Wait", "{}"));
            }));
            Instant begin = Instant.now();
            Answer answer = model(provider, server, now).ask(waiting(ModelRequest.LONGEST, () -> {
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
        }
    }

    @Test
    void aTurnThatOutlastsTheTimeForToolsIsFollowedByTheLastOne() throws Exception {
        withEach(CutAnswerTest::outlasts);
    }

    /// A machine may be so busy that the time is over before the server is asked: then there is
    /// more of it.
    private static void outlasts(Provider provider) throws IOException {
        Duration left = Duration.ofMillis(200);
        while (!isSeenToOutlast(provider, left)) {
            left = left.multipliedBy(2);
        }
    }

    private static boolean isSeenToOutlast(Provider provider, Duration left) throws IOException {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        try (FakeProvider server = provider.saying("print(1)")) {
            server.plan(USES_A_TOOL, Fault.slow(Duration.ofHours(1)));
            Answer answer = model(provider, server, now).ask(waiting(ModelRequest.LONGEST, () -> {
                now.set(now.get().plus(TIME_FOR_TOOLS).minus(left));
                return "seen";
            }));
            if (server.received().size() < 3) {
                return false;
            }
            assertThat(answer.text()).isEqualTo("print(1)");
            assertThat(server.received()).hasSize(3);
            assertThat(server.received().getLast().body().toString()).contains("seen").containsOnlyOnce(REMARK);
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Requirement({"REQ-OR-027", "REQ-OR-052"})
    void whatWasPaidForIsAnAnswerThoughTheProviderFails(Provider provider) throws IOException {
        for (int status : new int[] {503, 400}) {
            try (FakeProvider server = provider.saying("never")) {
                server.plan(USES_A_TOOL);
                server.plan(Collections.nCopies(40, Fault.status(status)).toArray(Fault[]::new));
                AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
                Answer answer = provider
                        .model(server, now::get, pause -> now.updateAndGet(then -> then.plus(pause)),
                                ModelCallListener.NONE)
                        .ask(waiting(Waiting.MOST, () -> "seen"));
                assertThat(answer.shortfall()).isIn(Shortfall.BROKEN_OFF, Shortfall.UNANSWERED);
                assertThat(answer.text()).isEmpty();
                assertThat(answer.usage().costUsd()).isPositive();
                assertThat(answer.usage().inputTokens()).isPositive();
            }
        }
    }

    @Test
    void aLastTurnMaySaveWhatAnOutageWouldHaveTaken() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.saying("print(1)")) {
            server.plan(USES_A_TOOL);
            server.plan(Collections.nCopies(4, Fault.status(503)).toArray(Fault[]::new));
            Answer answer = Provider.ANTHROPIC.model(server).ask(waiting(Waiting.MOST, () -> "seen"));
            assertThat(answer.text()).isEqualTo("print(1)");
            assertThat(answer.shortfall()).isNull();
        }
    }
}

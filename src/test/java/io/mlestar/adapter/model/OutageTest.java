package io.mlestar.adapter.model;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.core.step.ModelUnavailable;
import module java.base;
import java.net.http.HttpHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A model that is away for long is asked by one call at a time, for all; each server says in its
/// own way how long it wants to be left alone.
@Timeout(300)
class OutageTest {
    private static final ModelRequest PATIENT = within(ModelRequest.LONGEST);
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    /// The answer of Gemini to those who ask too often.
    private static final String GOOGLE =
            """
                    {"error": {"code": 429, "message": "You exceeded your current quota.", "status": "RESOURCE_EXHAUSTED", "details": [
                     {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaMetric": "m", "quotaId": "PerMinute"}]},
                     {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "45.837906927s"}]}}""";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<Long> pauses = new CopyOnWriteArrayList<>();

    /// A model that did not answer a first question.
    private Model givenUp(FakeProvider server) {
        Model model = Provider.OPENAI.model(server, now::get, pause -> {
            pauses.add(pause.toSeconds());
            now.updateAndGet(then -> then.plus(pause));
        }, ModelCallListener.NONE);
        server.plan(away(4));
        assertThatThrownBy(() -> model.ask(PATIENT)).isInstanceOf(ModelUnavailable.class);
        pauses.clear();
        return model;
    }

    private static Fault[] away(int times) {
        return Collections.nCopies(times, Fault.status(503)).toArray(Fault[]::new);
    }

    @Test
    void manyQuestionsAskOneAtATimeAtGrowingPausesUntilItIsBack() throws Exception {
        try (FakeProvider server = Provider.OPENAI.saying("back");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Model model = givenUp(server);
            server.plan(away(4));
            List<Future<String>> answers = IntStream.range(0, 8)
                    .mapToObj(_ -> threads.submit(() -> model.ask(PATIENT).text())).toList();
            for (Future<String> answer : answers) {
                assertThat(answer.get(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isEqualTo("back");
            }
            assertThat(pauses).containsExactly(5L, 10L, 20L, 40L, 80L);
            assertThat(server.received()).hasSize(4 + 4 + 8);
        }
    }

    @Test
    void aQuestionWhoseTimeEndsMeanwhileIsNotAskedAndSaysSinceWhenAndWhy() throws IOException {
        try (FakeProvider server = Provider.OPENAI.saying("back")) {
            Model model = givenUp(server);
            refusal(ModelUnavailable.class, () -> model.ask(within(Duration.ofSeconds(3))))
                    .startsWith("model openai:made-up has not answered since 2026-01-01T00:00:0")
                    .contains("answered 503: planned by the test");
            assertThat(server.received()).hasSize(4);
            assertThat(model.ask(PATIENT).text()).isEqualTo("back");
        }
    }

    @Test
    void aServerThatRefusesAQuestionIsBack() throws IOException {
        try (FakeProvider server = Provider.OPENAI.saying("back")) {
            Model model = givenUp(server);
            server.plan(Fault.status(400));
            assertThatThrownBy(() -> model.ask(PATIENT))
                    .hasMessageContaining("refuses the request");
            pauses.clear();
            assertThat(model.ask(PATIENT).text()).isEqualTo("back");
            assertThat(pauses).isEmpty();
        }
    }

    private static ModelRequest within(Duration timeout) {
        return Questions.within(timeout, Questions.question());
    }

    @Test
    @Requirement("REQ-OR-034")
    void afterTheDeadlineNoTryBegins() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.saying("never")) {
            for (Duration past : List.of(Duration.ZERO, Duration.ofSeconds(-5))) {
                refusal(ModelUnavailable.class, () -> Provider.ANTHROPIC.model(server).ask(within(past)))
                        .contains("no time is left");
            }
            server.plan(Fault.status(503));
            AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
            // A machine that stands still for as long as the whole call may take.
            Model slow = Provider.ANTHROPIC.model(server, now::get,
                    pause -> now.updateAndGet(then -> then.plus(ModelRequest.LONGEST)), ModelCallListener.NONE);
            refusal(ModelUnavailable.class, () -> slow.ask(PATIENT)).contains("no time is left");
            assertThat(server.received()).hasSize(1);
        }
    }

    /// The head of the answer comes at once, its body never.
    @Test
    void aServerThatStopsInTheMiddleCannotHangTheRun() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                try (var client = server.accept()) {
                    client.getOutputStream().write(
                            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{\"id\""
                                    .getBytes(StandardCharsets.US_ASCII));
                    client.getOutputStream().flush();
                    done.await();
                } catch (IOException | InterruptedException e) {
                    // The test has said what it had to.
                }
            });
            Model model = new Models(Provider.ANTHROPIC.environment("http://127.0.0.1:" + server.getLocalPort()))
                    .get("anthropic:made-up");
            refusal(ModelUnavailable.class, () -> model.ask(within(Duration.ofMillis(700))))
                    .contains("no answer from http://127.0.0.1");
        } finally {
            done.countDown();
        }
    }

    private static Optional<Duration> asked(String headers, String body) {
        return RetryAfter.of(HttpHeaders.of(Arrays.stream(headers.split(";")).filter(header -> header.contains("="))
                .collect(Collectors.toMap(header -> header.split("=")[0].strip(),
                        header -> List.of(header.split("=")[1].strip()))),
                (name, value) -> true), body, NOW);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/odd-answers/retry-after.csv", delimiter = '|', numLinesToSkip = 1,
            quoteCharacter = '`')
    void headersSayItAsSecondsDurationsOrTimes(String headers, String expected) {
        assertThat(asked(headers, "{}"))
                .isEqualTo(expected.isEmpty() ? Optional.empty() : Optional.of(Duration.parse(expected)));
    }

    @Test
    void googleSaysItInTheBody() {
        assertThat(asked("", GOOGLE)).contains(Duration.ofNanos(45_837_906_927L));
        assertThat(asked("", "[" + GOOGLE + "]")).as("where it speaks as OpenAI does")
                .contains(Duration.ofNanos(45_837_906_927L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "busy", "[]", "[7]", "{\"error\": \"busy\"}", "{\"error\": {\"details\": 7}}",
        "{\"error\": {\"details\": [null, {}]}}",
        "{\"error\": {\"details\": [{\"@type\": \"type.googleapis.com/google.rpc.RetryInfo\"}]}}",
        """
                {"error": {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": {"seconds": 3}}]}}"""})
    void aBodyThatSaysNothingOfItIsNoMatter(String body) {
        assertThat(asked("", body)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999999", "999999999h999999999h", "Fri, 31 Dec 9999 23:59:59 GMT",
        "9999-12-31T23:59:59Z", "604800"})
    void nobodyIsWaitedForLongerThanADay(String value) {
        assertThat(asked("retry-after = " + value, "")).contains(RetryAfter.LONGEST);
    }

    @Test
    void whatTheBodyAsksForIsWaitedFor() throws IOException {
        try (FakeProvider server = Provider.GEMINI.saying("fine")) {
            server.plan(new Fault.Foreign(429, "application/json", GOOGLE));
            List<Duration> pauses = new ArrayList<>();
            assertThat(Provider.GEMINI.model(server, pauses::add, ModelCallListener.NONE)
                    .ask(Questions.question()).text()).isEqualTo("fine");
            assertThat(pauses).containsExactly(Duration.ofNanos(45_837_906_927L));
        }
    }
}

package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.step.ModelUnavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A model that is away for long is asked by one call at a time, for all.
@Timeout(300)
class OutageTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<Long> pauses = new CopyOnWriteArrayList<>();

    private Model model(FakeProvider server) {
        return Provider.OPENAI.model(server, now::get, pause -> {
            pauses.add(pause.toSeconds());
            now.updateAndGet(then -> then.plus(pause));
        }, ModelCallListener.NONE);
    }

    private static ModelRequest question(Duration timeout) {
        return new ModelRequest(Optional.empty(), "init", "System.", "Prompt.", List.of(), 20, Optional.empty(),
                Optional.empty(), timeout,
                ModelRequest.Traits.NONE);
    }

    private static Fault[] away(int times) {
        return Collections.nCopies(times, Fault.status(503)).toArray(Fault[]::new);
    }

    @Test
    void manyQuestionsAskOneAtATimeAtGrowingPausesUntilItIsBack() throws Exception {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("back"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Model model = model(server);
            server.plan(away(4 + 4));
            assertThatThrownBy(() -> model.ask(question(ModelRequest.LONGEST))).isInstanceOf(ModelUnavailable.class);
            pauses.clear();
            List<Future<String>> answers = IntStream.range(0, 8)
                    .mapToObj(_ -> threads.submit(() -> model.ask(question(ModelRequest.LONGEST)).text())).toList();
            for (Future<String> answer : answers) {
                assertThat(answer.get(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isEqualTo("back");
            }
            assertThat(pauses).containsExactly(5L, 10L, 20L, 40L, 80L);
            assertThat(server.received()).hasSize(4 + 4 + 8);
        }
    }

    @Test
    void aQuestionWhoseTimeEndsMeanwhileIsNotAskedAndSaysSinceWhenAndWhy() throws IOException {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("back"))) {
            Model model = model(server);
            server.plan(away(4));
            assertThatThrownBy(() -> model.ask(question(ModelRequest.LONGEST))).isInstanceOf(ModelUnavailable.class);
            assertThatThrownBy(() -> model.ask(question(Duration.ofSeconds(3)))).isInstanceOf(ModelUnavailable.class)
                    .hasMessageStartingWith("model openai:made-up has not answered since 2026-01-01T00:00:0")
                    .hasMessageContaining("answered 503: planned by the test");
            assertThat(server.received()).hasSize(4);
            assertThat(model.ask(question(ModelRequest.LONGEST)).text()).isEqualTo("back");
        }
    }

    @Test
    void aServerThatRefusesAQuestionIsBack() throws IOException {
        try (FakeProvider server = Provider.OPENAI.start(Answerer.always("back"))) {
            Model model = model(server);
            server.plan(away(4));
            assertThatThrownBy(() -> model.ask(question(ModelRequest.LONGEST))).isInstanceOf(ModelUnavailable.class);
            server.plan(Fault.status(400));
            assertThatThrownBy(() -> model.ask(question(ModelRequest.LONGEST)))
                    .hasMessageContaining("refuses the request");
            pauses.clear();
            assertThat(model.ask(question(ModelRequest.LONGEST)).text()).isEqualTo("back");
            assertThat(pauses).isEmpty();
        }
    }

    private static ModelRequest within(Duration timeout) {
        ModelRequest question = LanguageModelTest.question();
        return new ModelRequest(question.step(), question.agent(), question.system(), question.prompt(), List.of(), 20,
                Optional.empty(),
                question.price(), timeout, question.traits());
    }

    @Test
    @Requirement("REQ-OR-034")
    void afterTheDeadlineNoTryBegins() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.start(Answerer.always("never"))) {
            for (Duration past : List.of(Duration.ZERO, Duration.ofSeconds(-5))) {
                assertThatThrownBy(() -> Provider.ANTHROPIC.model(server).ask(within(past)))
                        .isInstanceOf(ModelUnavailable.class)
                        .hasMessageContaining("no time is left");
            }
            server.plan(Fault.status(503));
            AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
            // A machine that stands still for as long as the whole call may take.
            Model slow = Provider.ANTHROPIC.model(server, now::get,
                    pause -> now.updateAndGet(then -> then.plus(ModelRequest.LONGEST)),
                    ModelCallListener.NONE);
            assertThatThrownBy(() -> slow.ask(within(ModelRequest.LONGEST))).isInstanceOf(ModelUnavailable.class)
                    .hasMessageContaining("no time is left");
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
            assertThatThrownBy(() -> model.ask(within(Duration.ofMillis(700)))).isInstanceOf(ModelUnavailable.class)
                    .hasMessageContaining("no answer from http://127.0.0.1");
        } finally {
            done.countDown();
        }
    }
}

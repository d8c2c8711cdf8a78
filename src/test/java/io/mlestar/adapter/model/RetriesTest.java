package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.core.step.ModelUnavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When a model is asked again, and when no more.
@Timeout(300)
class RetriesTest {
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

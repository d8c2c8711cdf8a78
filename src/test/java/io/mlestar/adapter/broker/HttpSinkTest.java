package io.mlestar.adapter.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.FreePort;
import io.mlestar.Waiting;
import io.mlestar.core.event.Event;
import io.mlestar.core.base.Unavailable;
import io.mlestar.core.step.StepPath;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class HttpSinkTest {
    private static final HttpClient CLIENT = HttpSink.client(Vertx.vertx(), Map.of());
    private static final Event EVENT = Event.work(Event.SCRIPT, StepPath.parse("run-1/phase1/script"), "asked");

    @AfterAll
    static void closeClient() {
        CLIENT.close();
    }

    private static HttpSink sink(URI address) {
        return new HttpSink(CLIENT, address, Waiting.MOST);
    }

    @Test
    void sendsHeadersAndData() throws Exception {
        try (Receiver broker = new Receiver(event -> 202)) {
            sink(broker.address()).publish(EVENT);
            Receiver.Received event = broker.next();
            assertThat(event.method()).isEqualTo("POST");
            assertThat(event.headers()).containsAllEntriesOf(EVENT.headers()).doesNotContainKeys("Upgrade",
                    "HTTP2-Settings");
            assertThat(event.data()).isEqualTo(EVENT.data());
            assertThat(broker.waiting()).isZero();
        }
    }

    @Test
    void showsTheClustersTokenToTheBrokerAsItIsNow(@TempDir Path folder) throws Exception {
        Path token = folder.resolve("token");
        try (Receiver broker = new Receiver(event -> 202)) {
            HttpSink sink = new HttpSink(CLIENT, broker.address(), Waiting.MOST, token);
            sink.publish(EVENT);
            assertThat(broker.next().headers()).doesNotContainKey("Authorization");
            Files.writeString(token, "first\n");
            sink.publish(EVENT);
            assertThat(broker.next().headers()).containsEntry("Authorization", "Bearer first");
            Files.writeString(token, "renewed");
            sink.publish(EVENT);
            assertThat(broker.next().headers()).containsEntry("Authorization", "Bearer renewed");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 404, 429, 500, 503})
    void anythingElseIsARefusalThatNamesTheBroker(int status) throws IOException {
        try (Receiver broker = new Receiver(event -> status)) {
            assertThatThrownBy(() -> sink(broker.address()).publish(EVENT)).isInstanceOf(Unavailable.class)
                    .hasMessageContaining(broker.address().toString()).hasMessageContaining(Integer.toString(status));
            assertThat(broker.waiting()).isOne();
        }
    }

    @Test
    void aBrokerThatIsNotThereIsNamed() throws IOException {
        URI gone = URI.create("http://127.0.0.1:" + FreePort.any() + "/");
        assertThatThrownBy(() -> sink(gone).publish(EVENT)).isInstanceOf(Unavailable.class)
                .hasMessageContaining(gone.toString());
    }

    @Test
    void aBrokerThatNeverAnswersIsGivenUp() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        try (Receiver broker = new Receiver(event -> {
            await(end);
            return 202;
        })) {
            HttpSink impatient = new HttpSink(CLIENT, broker.address(), Duration.ofMillis(200));
            assertThatThrownBy(() -> impatient.publish(EVENT)).isInstanceOf(Unavailable.class);
            end.countDown();
        }
    }

    @Test
    void anInterruptIsPassedOn() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (Receiver broker = new Receiver(event -> {
            await(end);
            return 202;
        })) {
            Thread sender = Thread.ofPlatform().unstarted(() -> {
                assertThatThrownBy(() -> sink(broker.address()).publish(EVENT)).isInstanceOf(Unavailable.class);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                end.countDown();
            });
            sender.start();
            broker.next();
            sender.interrupt();
            sender.join();
            assertThat(end.getCount()).as("the sender saw what it should").isZero();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

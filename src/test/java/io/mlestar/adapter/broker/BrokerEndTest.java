package io.mlestar.adapter.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.FreePort;
import io.mlestar.Waiting;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How deliveries end that are not simply answered: by the time they may take, without an answer,
/// and with the broker itself.
@Timeout(300)
class BrokerEndTest {
    private static final Event EVENT = Event.work(Event.SCRIPT, StepPath.parse("run-1/one"), "asked");
    private static final Routes.Subscriber FUNCTIONS = new Routes.Subscriber("functions", "/");
    private static final Routes.Subscriber DEAD_LETTERS = new Routes.Subscriber("dead-letter", "/dead-letter");

    private final HttpClient client = HttpSink.client(Vertx.vertx(), Map.of());
    private final Semaphore mayAnswer = new Semaphore(0);

    @AfterEach
    void close() {
        mayAnswer.release(1_000);
        client.close();
    }

    private EmbeddedBroker broker(Duration timeout, int retries, URI functions, URI deadLetters) {
        Routes routes = new Routes(List.of(new Routes.Trigger(Event.SCRIPT, FUNCTIONS,
                new Routes.Delivery(retries, new Backoff(Duration.ofMillis(1), Duration.ofSeconds(1)), timeout,
                        DEAD_LETTERS))));
        return new EmbeddedBroker(client, routes,
                to -> to.equals(FUNCTIONS) ? functions : deadLetters.resolve(to.path()),
                EmbeddedBroker.Fate.KIND, Map.of());
    }

    @Test
    void aDeliveryThatAlwaysTakesTooLongIsADeadLetterWithoutACode() throws Exception {
        try (Receiver deadLetters = new Receiver(event -> 202); Receiver functions = new Receiver(event -> {
            mayAnswer.acquireUninterruptibly();
            return 202;
        }); EmbeddedBroker broker = broker(Duration.ofMillis(100), 1, functions.address(), deadLetters.address())) {
            broker.publish(EVENT);
            Map<String, String> letter = deadLetters.next().headers();
            assertThat(letter).containsEntry("ce-knativeerrorcode", "-1").containsEntry("ce-knativeerrordest",
                    functions.address().toString());
            assertThat(said(letter)).contains("no answer within");
        }
    }

    @Test
    void theReasonIsSentAsBrokersSendIt() throws Exception {
        URI closed = URI.create("http://127.0.0.1:" + FreePort.any() + "/");
        try (Receiver deadLetters = new Receiver(event -> 202);
                EmbeddedBroker broker = broker(Waiting.MOST, 0, closed, deadLetters.address())) {
            broker.publish(EVENT);
            Map<String, String> letter = deadLetters.next().headers();
            assertThat(letter).containsEntry("ce-knativeerrordest", closed.toString());
            assertThat(said(letter)).contains("refused");
        }
    }

    private static String said(Map<String, String> letter) {
        return new String(Base64.getDecoder().decode(letter.get("ce-knativeerrordata")), StandardCharsets.UTF_8);
    }

    @Test
    void whoClosesTheBrokerWaitsForWhatIsUnderWayAndNothingElseBegins() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (Receiver functions = new Receiver(event -> {
            mayAnswer.acquireUninterruptibly();
            answered.countDown();
            return 202;
        })) {
            EmbeddedBroker broker = broker(Waiting.MOST, 3, functions.address(), functions.address());
            broker.publish(EVENT);
            functions.next();
            Thread closing = Thread.ofVirtual().start(broker::close);
            broker.publish(EVENT.with(Map.of("again", "true")));
            assertThat(closing.join(Duration.ofMillis(200))).as("it waits").isFalse();
            mayAnswer.release(1_000);
            assertThat(closing.join(Waiting.MOST)).isTrue();
            assertThat(answered.getCount()).isZero();
            broker.publish(EVENT);
            assertThat(functions.waiting()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void whatNeverEndsDoesNotKeepItOpen() throws Exception {
        try (Receiver functions = new Receiver(event -> {
            mayAnswer.acquireUninterruptibly();
            return 202;
        })) {
            EmbeddedBroker broker = broker(Duration.ofHours(1), 3, functions.address(), functions.address());
            broker.publish(EVENT);
            functions.next();
            assertThat(Thread.ofVirtual().start(() -> broker.close(Duration.ofMillis(50))).join(Waiting.MOST)).isTrue();
            mayAnswer.release(1_000);
        }
    }
}

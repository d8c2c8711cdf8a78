package io.mlestar.adapter.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class BrokerListenerTest {
    private static final Event EVENT =
            Event.work(Event.SCRIPT, StepPath.parse("run-1/script"), "asked").with(Map.of("traceparent", "t"));
    private static final Routes ROUTES = new Routes(List.of(new Routes.Trigger(Event.SCRIPT,
            new Routes.Subscriber("functions", "/"),
            new Routes.Delivery(2, new Backoff(Duration.ofMillis(1), Duration.ofSeconds(1)), Waiting.MOST,
                    new Routes.Subscriber("dead-letter", "/dead-letter")))));

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final EmbeddedBroker.Listener listener = new EmbeddedBroker.Listener() {
        @Override
        public void published(Event event) {
            told.add("published");
        }

        @Override
        public void delivered(Event event) {
            told.add("delivered");
        }

        @Override
        public void retried(Event event) {
            told.add("retried");
        }

        @Override
        public void buried(Event event) {
            told.add("buried");
        }

        @Override
        public void lost(Event event) {
            told.add("lost");
        }
    };

    /// All that is said until one of the three ends.
    private List<String> said(ToIntFunction<Receiver.Received> answer) throws Exception {
        HttpClient client = HttpSink.client(Vertx.vertx(), Map.of());
        List<String> said = new ArrayList<>();
        try (Receiver receiver = new Receiver(answer);
                EmbeddedBroker broker = new EmbeddedBroker(client, ROUTES, to -> receiver.address().resolve(to.path()),
                        EmbeddedBroker.Fate.KIND, Map.of())) {
            broker.listen(listener);
            broker.publish(EVENT);
            do {
                said.add(told.poll(Waiting.MOST.toSeconds(), TimeUnit.SECONDS));
            } while (!List.of("delivered", "buried", "lost").contains(said.getLast()));
            assertThat(receiver.next().headers()).containsEntry("ce-traceparent", "t");
        } finally {
            client.close();
        }
        return said;
    }

    @Test
    void aRetryIsToldBeforeTheDelivery() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        assertThat(said(event -> calls.incrementAndGet() == 1 ? 503 : 204)).containsExactly("published", "retried",
                "delivered");
    }

    @Test
    void aListenerThatFailsLosesNothing() throws Exception {
        HttpClient client = HttpSink.client(Vertx.vertx(), Map.of());
        try (Receiver receiver = new Receiver(event -> 204);
                EmbeddedBroker broker = new EmbeddedBroker(client, ROUTES, to -> receiver.address().resolve(to.path()),
                        EmbeddedBroker.Fate.KIND, Map.of())) {
            broker.listen(event -> {
                throw new IllegalStateException("made to fail");
            });
            broker.listen(listener);
            broker.publish(EVENT);
            assertThat(receiver.next().id()).isEqualTo(EVENT.id());
            assertThat(told.poll(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isEqualTo("published");
            assertThat(told.poll(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isEqualTo("delivered");
        } finally {
            client.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"204, buried", "422, lost"})
    void whatNobodyTakesIsBuriedOrLost(int deadLetters, String end) throws Exception {
        assertThat(said(event -> event.isDeadLetter() ? deadLetters : 422)).containsExactly("published", end);
    }
}

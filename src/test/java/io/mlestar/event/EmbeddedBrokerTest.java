package io.mlestar.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.event.EmbeddedBroker.Settings;
import io.mlestar.step.StepPath;
import io.mlestar.task.Json;
import java.io.IOException;
import java.net.URI;
import io.mlestar.Requirement;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class EmbeddedBrokerTest {
    private static final Settings QUICK = new Settings(3, Duration.ofMillis(1), 8);

    private final HttpClient client = HttpSink.client(Vertx.vertx());
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
        client.close();
    }

    private Receiver functions(ToIntFunction<Receiver.Received> answer) throws IOException {
        Receiver functions = new Receiver(answer);
        open.add(functions);
        return functions;
    }

    private EmbeddedBroker broker(Settings settings, Supplier<URI> address) {
        EmbeddedBroker broker = new EmbeddedBroker(client, address, settings);
        open.add(broker);
        return broker;
    }

    private static Event event(String step) {
        return Event.work(Event.SCRIPT, StepPath.parse("run-1/" + step), "asked");
    }

    /// Publishes one more event and waits for it, so that whatever was sent too much had time to come.
    private static void flush(EmbeddedBroker broker, Receiver functions) throws InterruptedException {
        broker.publish(event("flush"));
        assertThat(functions.next().headers()).containsEntry("ce-subject", "run-1/flush");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 202, 204})
    void whatIsTakenIsDeliveredOnce(int status) throws Exception {
        Receiver functions = functions(event -> status);
        EmbeddedBroker broker = broker(QUICK, functions::address);
        broker.publish(event("one"));
        Receiver.Received received = functions.next();
        assertThat(received.headers()).containsAllEntriesOf(event("one").headers());
        assertThat(received.data()).isEqualTo(event("one").data());
        flush(broker, functions);
        assertThat(functions.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 408, 409, 429, 500, 502, 503})
    void whatMayPassIsTriedAgain(int status) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Receiver functions = functions(event -> calls.incrementAndGet() <= 2 ? status : 202);
        EmbeddedBroker broker = broker(QUICK, functions::address);
        broker.publish(event("one"));
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(functions.next().id()).isEqualTo(event("one").id());
        }
        flush(broker, functions);
        assertThat(functions.waiting()).isZero();
    }

    @Test
    void pausesGrow() throws Exception {
        Receiver functions = functions(event -> event.type().equals(Event.DEAD_LETTER) ? 202 : 503);
        broker(new Settings(4, Duration.ofMillis(40), 8), functions::address).publish(event("one"));
        long before = functions.next().atNanos();
        for (long atLeast = 40; atLeast <= 160; atLeast *= 2) {
            long now = functions.next().atNanos();
            assertThat(TimeUnit.NANOSECONDS.toMillis(now - before)).isGreaterThanOrEqualTo(atLeast);
            before = now;
        }
        assertThat(functions.next().type()).isEqualTo(Event.DEAD_LETTER);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 413, 422})
    void whatIsFinalIsADeadLetterAtOnce(int status) throws Exception {
        Receiver functions = functions(event -> event.type().equals(Event.SCRIPT) ? status : 202);
        broker(QUICK, functions::address).publish(event("one"));
        assertThat(functions.next().type()).isEqualTo(Event.SCRIPT);
        Receiver.Received letter = functions.next();
        assertThat(letter.type()).isEqualTo("io.mlestar.dead-letter");
        assertThat(letter.data().path("error").asText()).contains(Integer.toString(status));
    }

    @Test
    void afterTheLastTryADeadLetterSaysWhatAndWhy() throws Exception {
        Receiver functions = functions(event -> event.type().equals(Event.SCRIPT) ? 503 : 202);
        EmbeddedBroker broker = broker(QUICK, functions::address);
        Event event = event("one");
        broker.publish(event);
        for (int attempt = 1; attempt <= QUICK.tries(); attempt++) {
            assertThat(functions.next().type()).isEqualTo(Event.SCRIPT);
        }
        Receiver.Received letter = functions.next();
        ObjectNode expected = Json.object().put("run_id", "run-1").put("step", "run-1/one").put("error", "answered 503")
                .put("type", Event.SCRIPT);
        assertThat(letter.data()).isEqualTo(expected);
        assertThat(letter.headers()).containsEntry("ce-subject", "run-1/one").containsEntry("ce-type", Event.DEAD_LETTER);
        assertThat(letter.id()).isNotEqualTo(event.id()).contains(event.id());
        assertThat(event.data().has("error")).as("the event itself is left alone").isFalse();
    }

    @Test
    void aDeadLetterThatFailsIsTriedAgainAndThenForgotten() throws Exception {
        Receiver functions = functions(event -> event.headers().get("ce-subject").equals("run-1/flush") ? 202 : 500);
        EmbeddedBroker broker = broker(QUICK, functions::address);
        broker.publish(event("one"));
        for (String type : List.of(Event.SCRIPT, Event.DEAD_LETTER)) {
            for (int attempt = 1; attempt <= QUICK.tries(); attempt++) {
                assertThat(functions.next().type()).isEqualTo(type);
            }
        }
        flush(broker, functions);
        assertThat(functions.waiting()).isZero();
    }

    @Test
    void aRefusedDeadLetterIsForgotten() throws Exception {
        Receiver functions = functions(event -> event.headers().get("ce-subject").equals("run-1/flush") ? 202 : 422);
        EmbeddedBroker broker = broker(QUICK, functions::address);
        broker.publish(event("one"));
        assertThat(functions.next().type()).isEqualTo(Event.SCRIPT);
        assertThat(functions.next().type()).isEqualTo(Event.DEAD_LETTER);
        flush(broker, functions);
        assertThat(functions.waiting()).isZero();
    }

    @Test
    void aServerThatIsNotThereYetIsTriedAgain() throws Exception {
        URI closed;
        try (Receiver gone = new Receiver(event -> 202)) {
            closed = gone.address();
        }
        Receiver functions = functions(event -> 202);
        AtomicInteger calls = new AtomicInteger();
        broker(QUICK, () -> calls.incrementAndGet() == 1 ? closed : functions.address()).publish(event("one"));
        assertThat(functions.next().id()).isEqualTo(event("one").id());
        assertThat(calls).hasValue(2);
    }

    @Test
    void aServerThatDoesNotKnowItsAddressYetIsTriedAgain() throws Exception {
        Receiver functions = functions(event -> 202);
        AtomicInteger calls = new AtomicInteger();
        broker(QUICK, () -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("no port yet");
            }
            return functions.address();
        }).publish(event("one"));
        assertThat(functions.next().id()).isEqualTo(event("one").id());
    }

    @Test
    @Requirement("REQ-OR-056")
    void deliversManyAtOnceButNoMoreThanItMay() throws Exception {
        int most = 3;
        int events = 20;
        Semaphore mayGo = new Semaphore(0);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger peak = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(most);
        Receiver functions = functions(event -> {
            peak.accumulateAndGet(now.incrementAndGet(), Math::max);
            begun.countDown();
            mayGo.acquireUninterruptibly();
            now.decrementAndGet();
            return 202;
        });
        EmbeddedBroker broker = broker(new Settings(1, Duration.ofMillis(1), most), functions::address);
        for (int i = 0; i < events; i++) {
            broker.publish(event("step" + i));
        }
        assertThat(begun.await(30, TimeUnit.SECONDS)).as("as many at once as it may").isTrue();
        mayGo.release(events);
        Set<String> ids = new HashSet<>();
        while (ids.size() < events) {
            ids.add(functions.next().id());
        }
        assertThat(peak).hasValue(most);
    }

    @Test
    void oneSlowStepDoesNotHoldTheOthersUp() throws Exception {
        Semaphore mayGo = new Semaphore(0);
        Receiver functions = functions(event -> {
            if (event.headers().get("ce-subject").endsWith("slow")) {
                mayGo.acquireUninterruptibly();
            }
            return 202;
        });
        EmbeddedBroker broker = broker(QUICK, functions::address);
        broker.publish(event("slow"));
        assertThat(functions.next().headers()).containsEntry("ce-subject", "run-1/slow");
        flush(broker, functions);
        mayGo.release();
        assertThat(functions.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {Event.RUN_COMPLETED, Event.RUN_FAILED})
    void theEndOfARunIsToldToListenersAndNotDelivered(String type) throws Exception {
        Receiver functions = functions(event -> 202);
        EmbeddedBroker broker = broker(QUICK, functions::address);
        List<Event> heard = new CopyOnWriteArrayList<>();
        broker.listen(heard::add);
        Event end = new Event(type, "run-1#end", "run-1", Json.object().put("run_id", "run-1"));
        broker.publish(end);
        assertThat(heard).containsExactly(end);
        flush(broker, functions);
        assertThat(heard).containsExactly(end, event("flush"));
        assertThat(functions.waiting()).isZero();
    }

    @Test
    void aClosedBrokerTriesNoMore() throws Exception {
        Semaphore mayAnswer = new Semaphore(0);
        Receiver functions = functions(event -> {
            mayAnswer.acquireUninterruptibly();
            return 503;
        });
        EmbeddedBroker broker = broker(new Settings(100, Duration.ofMillis(1), 8), functions::address);
        broker.publish(event("one"));
        functions.next();
        broker.close();
        mayAnswer.release(100);
        EmbeddedBroker other = broker(new Settings(1, Duration.ofMillis(1), 8), functions::address);
        flush(other, functions);
        assertThat(functions.waiting()).isZero();
    }
}

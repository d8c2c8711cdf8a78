package io.mlestar.adapter.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.FreePort;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import module java.base;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class EmbeddedBrokerTest {
    private static final Routes.Subscriber FUNCTIONS = new Routes.Subscriber("functions", "/");
    private static final Routes.Subscriber DEAD_LETTERS = new Routes.Subscriber("dead-letter", "/dead-letter");
    private static final int TRIES = 3;
    private static final Routes QUICK = routes(TRIES, Duration.ofMillis(1));

    private final HttpClient client = HttpSink.client(Vertx.vertx(), Map.of());
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Semaphore mayAnswer = new Semaphore(0);
    private final BrokerEar ear = new BrokerEar("run-1/one");

    @AfterEach
    void closeAll() throws Exception {
        mayAnswer.release(1_000);
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

    /// It answers when it may.
    private Receiver waiting() throws IOException {
        return functions(event -> {
            if (!event.isDeadLetter()) {
                mayAnswer.acquireUninterruptibly();
            }
            return 202;
        });
    }

    private static Routes routes(int tries, Duration backoff) {
        return routes(tries, backoff, Waiting.MOST);
    }

    private static Routes routes(int tries, Duration backoff, Duration timeout) {
        return new Routes(List.of(new Routes.Trigger(Event.SCRIPT, FUNCTIONS,
                new Routes.Delivery(tries - 1, new Backoff(backoff, Duration.ofMinutes(1)), timeout, DEAD_LETTERS))));
    }

    private EmbeddedBroker broker(Routes routes, Supplier<URI> address) {
        return broker(routes, address, EmbeddedBroker.Fate.KIND);
    }

    /// A listener that fails disturbs neither the deliveries nor the other one.
    private EmbeddedBroker broker(Routes routes, Supplier<URI> address, EmbeddedBroker.Fate fate) {
        EmbeddedBroker broker = new EmbeddedBroker(client, routes,
                subscriber -> address.get().resolve(subscriber.path()), fate, Map.of());
        broker.listen(event -> {
            throw new IllegalStateException("made to fail");
        });
        broker.listen(ear);
        open.add(broker);
        return broker;
    }

    private static Event event(String step) {
        return Event.work(Event.SCRIPT, StepPath.parse("run-1/" + step), "asked");
    }

    /// Publishes one more event and waits for it, so that whatever was sent too much had time to
    /// come.
    private static void flush(EmbeddedBroker broker, Receiver functions) throws InterruptedException {
        broker.publish(event("flush"));
        assertThat(functions.next().headers()).containsEntry("ce-subject", "run-1/flush");
    }

    /// An event that is taken is delivered once; one whose refusal may pass is tried again.
    @ParameterizedTest
    @CsvSource({"200, 0", "202, 0", "204, 0", "404, 2", "408, 2", "409, 2", "429, 2", "500, 2", "502, 2", "503, 2"})
    void anEventIsTriedUntilItIsTaken(int status, int refusals) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Receiver functions = functions(event -> refusals == 0 || calls.incrementAndGet() <= refusals ? status : 202);
        EmbeddedBroker broker = broker(QUICK, functions::address);
        broker.publish(event("one").with(Map.of("traceparent", "t")));
        for (int attempt = 0; attempt <= refusals; attempt++) {
            Receiver.Received received = functions.next();
            assertThat(received.headers()).containsAllEntriesOf(event("one").headers())
                    .containsEntry("ce-traceparent", "t");
            assertThat(received.data()).isEqualTo(event("one").data());
        }
        List<String> told = new ArrayList<>(List.of("published"));
        told.addAll(Collections.nCopies(refusals, "retried"));
        told.add("delivered");
        ear.assertTold(told.toArray(String[]::new));
        flush(broker, functions);
        assertThat(functions.waiting()).isZero();
    }

    @Test
    void pausesGrow() throws Exception {
        Receiver functions = functions(event -> event.isDeadLetter() ? 202 : 503);
        broker(routes(4, Duration.ofMillis(40)), functions::address).publish(event("one"));
        long before = functions.next().atNanos();
        for (long atLeast = 40; atLeast <= 160; atLeast *= 2) {
            long now = functions.next().atNanos();
            assertThat(TimeUnit.NANOSECONDS.toMillis(now - before)).isGreaterThanOrEqualTo(atLeast);
            before = now;
        }
        assertThat(functions.next().isDeadLetter()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 413, 422})
    void whatIsFinalIsADeadLetterAtOnce(int status) throws Exception {
        Receiver functions = functions(event -> event.isDeadLetter() ? 202 : status);
        broker(QUICK, functions::address).publish(event("one"));
        assertThat(functions.next().isDeadLetter()).isFalse();
        Receiver.Received letter = functions.next();
        assertThat(letter.isDeadLetter()).isTrue();
        assertThat(letter.headers()).containsEntry("ce-knativeerrorcode", Integer.toString(status));
        ear.assertTold("published", "buried");
    }

    @Test
    void afterTheLastTryTheEventGoesUnchangedToTheDeadLettersWithTheReason() throws Exception {
        Receiver functions = functions(event -> event.isDeadLetter() ? 202 : 503);
        Event event = event("one");
        broker(QUICK, functions::address).publish(event);
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            assertThat(functions.next().path()).isEqualTo("/");
        }
        Receiver.Received letter = functions.next();
        assertThat(letter.path()).isEqualTo("/dead-letter");
        assertThat(letter.data()).isEqualTo(event.data());
        assertThat(letter.headers()).containsAllEntriesOf(event.headers()).containsEntry("ce-knativeerrorcode", "503")
                .containsEntry("ce-knativeerrordest", functions.address().toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 422})
    void aDeadLetterThatFailsIsForgottenInTheEnd(int status) throws Exception {
        Receiver functions = functions(event -> event.headers().get("ce-subject").equals("run-1/flush") ? 202 : status);
        EmbeddedBroker broker = broker(QUICK, functions::address);
        broker.publish(event("one"));
        int tries = status == 500 ? TRIES : 1;
        for (int attempt = 1; attempt <= 2 * tries; attempt++) {
            assertThat(functions.next().isDeadLetter()).isEqualTo(attempt > tries);
        }
        Waiting.until("the loss is told", () -> ear.told().contains("lost"));
        flush(broker, functions);
        assertThat(functions.waiting()).isZero();
    }

    @Test
    void anEventThatNoTriggerWantsIsHeardAndNotDelivered() throws Exception {
        Receiver functions = functions(event -> 202);
        EmbeddedBroker broker = broker(QUICK, functions::address);
        List<Event> heard = new CopyOnWriteArrayList<>();
        broker.listen(heard::add);
        Event end = new Event(Event.RUN_COMPLETED, "run-1#end", "run-1", Json.object().put("run_id", "run-1"));
        broker.publish(end);
        flush(broker, functions);
        assertThat(heard).containsExactly(end, event("flush"));
        assertThat(functions.waiting()).isZero();
    }

    @Test
    void fateMayLoseDoubleAndDelayEvents() throws Exception {
        Receiver functions = functions(event -> 202);
        EmbeddedBroker broker = broker(QUICK, functions::address, (trigger, event) -> switch (event.subject()) {
            case "run-1/lost" -> List.of();
            case "run-1/twice" -> List.of(Duration.ZERO, Duration.ofMillis(150));
            default -> List.of(Duration.ofMillis(50));
        });
        List.of("lost", "twice", "late").forEach(step -> broker.publish(event(step)));
        List<String> came = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            came.add(functions.next().headers().get("ce-subject"));
        }
        assertThat(came).containsExactly("run-1/twice", "run-1/late", "run-1/twice");
    }

    @Test
    void aServerThatIsNotThereOrDoesNotKnowItsAddressYetIsTriedAgain() throws Exception {
        URI closed = URI.create("http://127.0.0.1:" + FreePort.any() + "/");
        Receiver functions = functions(event -> 202);
        AtomicInteger calls = new AtomicInteger();
        broker(QUICK, () -> switch (calls.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("no port yet");
            case 2 -> closed;
            default -> functions.address();
        }).publish(event("one"));
        assertThat(functions.next().id()).isEqualTo(event("one").id());
        assertThat(calls).hasValue(3);
    }

    @Test
    @Requirement("REQ-OR-056")
    void deliversManyAtOnceButNoMoreThanItMay() throws Exception {
        int most = 64;
        int events = 200;
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
        EmbeddedBroker broker = broker(routes(1, Duration.ofMillis(1)), functions::address);
        for (int i = 0; i < events; i++) {
            broker.publish(event("step" + i));
        }
        assertThat(begun.await(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).as("as many at once as it may").isTrue();
        mayGo.release(events);
        Set<String> ids = new HashSet<>();
        while (ids.size() < events) {
            ids.add(functions.next().id());
        }
        assertThat(peak).hasValue(most);
    }

    @Test
    void aDeliveryThatAlwaysTakesTooLongIsADeadLetterWithoutACode() throws Exception {
        Receiver functions = waiting();
        broker(routes(2, Duration.ofMillis(1), Duration.ofMillis(100)), functions::address).publish(event("one"));
        assertThat(List.of(functions.next(), functions.next())).noneMatch(Receiver.Received::isDeadLetter);
        Map<String, String> letter = functions.next().headers();
        assertThat(letter).containsEntry("ce-knativeerrorcode", "-1").containsEntry("ce-knativeerrordest",
                functions.address().toString());
        assertThat(said(letter)).contains("no answer within");
    }

    private static String said(Map<String, String> letter) {
        return new String(Base64.getDecoder().decode(letter.get("ce-knativeerrordata")), StandardCharsets.UTF_8);
    }

    @Test
    void whoClosesTheBrokerWaitsForWhatIsUnderWayAndNothingElseBegins() throws Exception {
        Receiver functions = waiting();
        EmbeddedBroker broker = broker(QUICK, functions::address);
        broker.publish(event("one"));
        functions.next();
        Thread closing = Thread.ofVirtual().start(broker::close);
        broker.publish(event("two"));
        assertThat(closing.join(Duration.ofMillis(200))).as("it waits").isFalse();
        mayAnswer.release(1_000);
        assertThat(closing.join(Waiting.MOST)).isTrue();
        ear.assertTold("published", "delivered");
        broker.publish(event("one"));
        assertThat(functions.waiting()).isLessThanOrEqualTo(1);
    }

    @Test
    void aClosedBrokerTriesNoMore() throws Exception {
        Receiver functions = functions(event -> {
            mayAnswer.acquireUninterruptibly();
            return event.headers().get("ce-subject").endsWith("one") ? 503 : 202;
        });
        EmbeddedBroker broker = broker(routes(100, Duration.ofMillis(1)), functions::address);
        broker.publish(event("one"));
        functions.next();
        broker.close(Duration.ZERO);
        mayAnswer.release(100);
        EmbeddedBroker other = broker(routes(1, Duration.ofMillis(1)), functions::address);
        flush(other, functions);
        assertThat(functions.waiting()).isZero();
    }

    @Test
    void everyEventOfARunHasExactlyOneSubscriber() {
        Routes routes = Routes.toFunctions();
        assertThat(routes.of(Event.work(Event.agentType("ens_planner"), StepPath.parse("r/phase1/x"), "asked")))
                .extracting(trigger -> trigger.subscriber().name()).containsExactly("ens-planner");
        assertThat(routes.of(Event.work(Event.SCRIPT, StepPath.parse("r/phase1/script"), "asked"))).hasSize(1);
        assertThat(routes.of(new Event(Event.RUN_COMPLETED, "r#end", "r", Json.object()))).isEmpty();
        assertThat(routes.triggers()).extracting(Routes.Trigger::filter).doesNotHaveDuplicates();
        assertThat(routes.triggers()).allSatisfy(trigger -> {
            assertThat(trigger.delivery().retries()).as(trigger.filter().toString()).isPositive();
            assertThat(trigger.delivery().deadLetters())
                    .isEqualTo(new Routes.Subscriber("dead-letter", "/dead-letter"));
        });
    }
}

package io.mlestar.adapter.broker;

import io.mlestar.adapter.broker.Routes.Delivery;
import io.mlestar.adapter.broker.Routes.Subscriber;
import io.mlestar.adapter.broker.Routes.Trigger;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.base.BestEffort;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.event.StepLabels;
import io.vertx.core.http.HttpClient;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// A broker for one machine: posts each event to its [Routes], by Knative's rules for retries (404,
/// 408, 409, 429 and 5xx are tried again, other errors are final), backoff and dead letters. It
/// keeps nothing on disk: what is lost with the process is found again by the sweep.
public final class EmbeddedBroker implements Publisher, AutoCloseable {
    private static final Logger LOG = Logger.getLogger("mle_star.broker");
    private static final Set<Integer> RETRIED = Set.of(404, 408, 409, 429);
    private static final int MOST_IN_FLIGHT = 64;
    /// Closing waits so long for deliveries in flight.
    static final Duration DRAIN = Duration.ofSeconds(4);
    /// The most bytes of a reason: Knative keeps 1,024 characters of base64.
    private static final int LONGEST_REASON = 768;

    /// Delays, repeats or loses deliveries: each event goes to each subscriber after each of the
    /// pauses.
    @FunctionalInterface
    public interface Fate {
        /// Every event is delivered once, at once.
        Fate KIND = (trigger, event) -> List.of(Duration.ZERO);

        /// @return none: it is lost; several: it comes more than once; different ones: it is
        ///   overtaken
        List<Duration> pauses(Trigger trigger, Event event);
    }

    /// Follows the events, each for one subscriber. Its exceptions are only logged.
    @FunctionalInterface
    public interface Listener {
        /// Called before it is delivered.
        void published(Event event);

        default void delivered(Event event) {}

        /// A delivery failed and will be tried again.
        default void retried(Event event) {}

        /// The delivery failed for good, and the dead-letter subscriber took the event.
        default void buried(Event event) {}

        /// Neither the subscriber nor the dead-letter subscriber took it.
        default void lost(Event event) {}
    }

    private final HttpClient client;
    private final Routes routes;
    private final Function<Subscriber, URI> addresses;
    private final Fate fate;
    private final Map<String, String> identity;
    private final CopyOnWriteArrayList<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Semaphore inFlight = new Semaphore(MOST_IN_FLIGHT);
    private volatile boolean closed;

    /// @param addresses where subscribers listen; asked at each delivery, since a server learns its
    ///   port late
    /// @param identity headers that prove to the subscribers that their broker posts
    public EmbeddedBroker(
            HttpClient client,
            Routes routes,
            Function<Subscriber, URI> addresses,
            Fate fate,
            Map<String, String> identity) {
        this.client = client;
        this.routes = routes;
        this.addresses = addresses;
        this.fate = fate;
        this.identity = Map.copyOf(identity);
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void publish(Event event) {
        tell(listener -> listener.published(event));
        if (closed) {
            LOG.debugf("event %s (%s) comes after the end and is not delivered", event.id(),
                    event.type());
            return;
        }
        for (Trigger trigger : routes.of(event)) {
            for (Duration pause : fate.pauses(trigger, event)) {
                // The publishing thread's log labels are of another step.
                Thread.ofVirtual().inheritInheritableThreadLocals(false).start(() -> {
                    if (pause.isZero() || Backoff.sleep(pause)) {
                        StepLabels.during(event, () -> deliver(trigger, event));
                    }
                });
            }
        }
    }

    private void deliver(Trigger trigger, Event event) {
        DeliveryFailure failure = tryTo(trigger.subscriber(), trigger.delivery(), event, Map.of());
        if (failure == null) {
            tell(listener -> listener.delivered(event));
            return;
        }
        if (closed) {
            LOG.debugf("event %s (%s) is left undelivered: %s", event.id(), event.type(),
                    failure.reason());
            return;
        }
        LOG.warnf("event %s (%s) could not be delivered to %s: %s", event.id(), event.type(),
                trigger.subscriber().name(), failure.reason());
        Subscriber deadLetters = trigger.delivery().deadLetters();
        if (deadLetters == null) {
            tell(listener -> listener.lost(event));
        } else {
            DeliveryFailure lost =
                    tryTo(deadLetters, trigger.delivery(), event, failure.extensions());
            if (lost != null && !closed) {
                LOG.errorf("dead letter %s is lost: %s", event.id(), lost.reason());
            }
            tell(listener -> {
                if (lost == null) {
                    listener.buried(event);
                } else {
                    listener.lost(event);
                }
            });
        }
    }

    /// Delivers, with retries.
    ///
    /// @return the last failure; null if it was delivered
    private @Nullable DeliveryFailure tryTo(
            Subscriber subscriber,
            Delivery delivery,
            Event event,
            Map<String, String> extensions) {
        DeliveryFailure failure = DeliveryFailure.CLOSED;
        for (int attempt = 1; attempt <= delivery.retries() + 1; attempt++) {
            inFlight.acquireUninterruptibly();
            try {
                if (closed) {
                    return failure;
                }
                failure = once(subscriber, delivery, event, extensions);
            } finally {
                inFlight.release();
            }
            if (failure == null || failure.isFinal()) {
                return failure;
            }
            if (attempt <= delivery.retries()) {
                Duration pause = delivery.backoff().jittered(attempt);
                tell(listener -> listener.retried(event));
                LOG.debugf("delivery %d of %s failed (%s), again in %d ms", attempt, event.id(),
                        failure.reason(), pause.toMillis());
                if (!Backoff.sleep(pause)) {
                    return failure;
                }
            }
        }
        return failure;
    }

    private void tell(Consumer<Listener> news) {
        for (Listener listener : listeners) {
            BestEffort.LOGGED.run("a listener of the broker failed", () -> news.accept(listener));
        }
    }

    /// @param address null if the destination has none
    /// @param code the HTTP status
    /// @param said the answer's body; without an answer, why there is none
    private record DeliveryFailure(@Nullable URI address, int code, String said) {
        /// Knative writes this code if there was no answer.
        private static final int NO_ANSWER = -1;
        private static final DeliveryFailure CLOSED =
                new DeliveryFailure(null, NO_ANSWER, "the broker is closed");

        String reason() {
            return code == NO_ANSWER ? said : "answered " + code + " " + said;
        }

        boolean isFinal() {
            return code != NO_ANSWER && code / 100 != 5 && !RETRIED.contains(code);
        }

        /// The extension attributes that Knative adds to a dead letter.
        Map<String, String> extensions() {
            byte[] data = said.getBytes(StandardCharsets.UTF_8);
            return Map.of("ce-knativeerrordest", String.valueOf(address), "ce-knativeerrorcode",
                    Integer.toString(code), "ce-knativeerrordata",
                    Base64.getEncoder()
                            .encodeToString(
                                    Arrays.copyOf(data, Math.min(data.length, LONGEST_REASON))));
        }
    }

    private @Nullable DeliveryFailure once(
            Subscriber subscriber,
            Delivery delivery,
            Event event,
            Map<String, String> extensions) {
        URI address = null;
        try {
            address = addresses.apply(subscriber);
            Map<String, String> headers = new HashMap<>(identity);
            headers.putAll(extensions);
            HttpSink.Response answer =
                    new HttpSink(client, address, delivery.timeout()).post(event, headers);
            return answer.status() / 100 == 2
                    ? null
                    : new DeliveryFailure(address, answer.status(), answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new DeliveryFailure(address, DeliveryFailure.NO_ANSWER, "interrupted");
        } catch (IOException | RuntimeException e) {
            return new DeliveryFailure(address, DeliveryFailure.NO_ANSWER,
                    Objects.requireNonNullElse(e instanceof IOException ? e.getMessage() : null,
                            e.toString()));
        }
    }

    /// Closes it, and waits for some seconds at most.
    @Override
    public void close() {
        close(DRAIN);
    }

    /// Starts no more deliveries and waits for those in flight. What takes longer is cut off, and
    /// the sweep finds it again.
    ///
    /// @param most how long
    void close(Duration most) {
        closed = true;
        try {
            if (inFlight.tryAcquire(MOST_IN_FLIGHT, most.toMillis(), TimeUnit.MILLISECONDS)) {
                inFlight.release(MOST_IN_FLIGHT);
            } else {
                LOG.debug("deliveries in flight are cut off");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

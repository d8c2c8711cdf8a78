package io.mlestar.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.task.Json;
import io.vertx.core.http.HttpClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// A broker for one machine: takes events and posts each to the functions of this process over HTTP, as Knative's does,
/// with its rules for retries (404, 408, 409, 429 and 5xx are tried again, other errors are final), exponential backoff and
/// dead letters. It keeps nothing on disk: what is lost with the process is found again by the sweep.
public final class EmbeddedBroker implements Publisher, AutoCloseable {
    private static final Logger LOG = Logger.getLogger("mle_star.broker");
    private static final Set<Integer> RETRIED = Set.of(404, 408, 409, 429);
    private static final String FINAL = "final";
    /// Long enough for any model call; scripts answer at once and go on by themselves.
    private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(30);

    /// @param tries deliveries before an event becomes a dead letter
    /// @param firstBackoff pause after the first failure; it doubles each time
    /// @param inFlight most deliveries at once
    public record Settings(int tries, Duration firstBackoff, int inFlight) {
        public static final Settings DEFAULT = new Settings(11, Duration.ofMillis(200), 64);
    }

    private final HttpClient client;
    private final Supplier<URI> functions;
    private final Settings settings;
    private final CopyOnWriteArrayList<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();
    private final Semaphore inFlight;
    private volatile boolean closed;

    /// @param functions where the functions listen; asked at each delivery, since a server learns its port late
    public EmbeddedBroker(HttpClient client, Supplier<URI> functions, Settings settings) {
        this.client = client;
        this.functions = functions;
        this.settings = settings;
        this.inFlight = new Semaphore(settings.inFlight());
    }

    /// Tells `listener` of every event that is published, before it is delivered.
    public void listen(Consumer<Event> listener) {
        listeners.add(listener);
    }

    @Override
    public void publish(Event event) {
        listeners.forEach(listener -> listener.accept(event));
        if (!event.type().equals(Event.RUN_COMPLETED) && !event.type().equals(Event.RUN_FAILED)) {
            deliver(event);
        }
    }

    /// Delivers in a thread of its own, as often as it takes.
    private void deliver(Event event) {
        Thread.startVirtualThread(() -> {
            String failure = "";
            for (int attempt = 1; attempt <= settings.tries() && !closed; attempt++) {
                inFlight.acquireUninterruptibly();
                try {
                    failure = failure(event);
                } finally {
                    inFlight.release();
                }
                if (failure == null) {
                    return;
                }
                if (failure.startsWith(FINAL)) {
                    break;
                }
                if (attempt < settings.tries() && !pause(event, attempt, failure)) {
                    return;
                }
            }
            if (!closed) {
                bury(event, failure);
            }
        });
    }

    /// Waits before the next delivery: twice as long each time, and a bit more by chance.
    ///
    /// @return false if interrupted
    private boolean pause(Event event, int attempt, String failure) {
        long pause = settings.firstBackoff().toMillis() << Math.min(attempt - 1, 9);
        long jittered = pause + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
        LOG.debugf("delivery %d of %s failed (%s), again in %d ms", attempt, event.id(), failure, jittered);
        try {
            Thread.sleep(jittered);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Null if the event was delivered.
    private String failure(Event event) {
        try {
            int status = new HttpSink(client, functions.get(), DELIVERY_TIMEOUT).post(event);
            if (status / 100 == 2) {
                return null;
            }
            return (status / 100 == 5 || RETRIED.contains(status) ? "answered " : FINAL + ": answered ") + status;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } catch (IOException | RuntimeException e) {
            return e.toString();
        }
    }

    private void bury(Event event, String failure) {
        LOG.warnf("event %s (%s) could not be delivered: %s", event.id(), event.type(), failure);
        if (!event.type().equals(Event.DEAD_LETTER)) {
            ObjectNode data = (ObjectNode) Json.tree(event.data());
            data.put("error", failure).put("type", event.type());
            deliver(new Event(Event.DEAD_LETTER, event.id() + "#dead", event.subject(), data));
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}

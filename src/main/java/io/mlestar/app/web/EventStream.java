package io.mlestar.app.web;

import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.core.store.StoreUnavailable;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// A stream of server-sent events about one thing, for all its listeners. While it has any, it looks for news every two seconds, and at once after
/// a hint.
abstract class EventStream {
    private static final Logger LOG = Logger.getLogger("mle_star.http");
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    /// Events of this time are sent together.
    private static final Duration GATHER = Duration.ofMillis(450);
    /// Keeps the connection open through proxies, and finds clients that have gone.
    private static final String ALIVE = ":\n\n";
    private static final int LOOKS_PER_SIGN_OF_LIFE = 7;

    private final Set<HttpServerResponse> listeners = ConcurrentHashMap.newKeySet();
    private final Semaphore hints = new Semaphore(0);
    private boolean over;

    /// The first event for a new listener.
    abstract String greeting();

    /// The events since the last look.
    abstract List<String> look();

    /// True if no more events will come.
    abstract boolean isLast();

    /// @return false if this stream has ended; another one is needed
    synchronized boolean add(HttpServerResponse response) {
        if (over) {
            return false;
        }
        response.closeHandler(closed -> listeners.remove(response));
        response.exceptionHandler(failure -> listeners.remove(response));
        String greeting = greeting();
        // Counted before it is told: a client that comes again after its answer finds itself counted.
        listeners.add(response);
        response.write(greeting);
        if (listeners.size() == 1) {
            hints.release();
        }
        return true;
    }

    int size() {
        return listeners.size();
    }

    /// Says that there may be news.
    void hint() {
        if (hints.availablePermits() == 0) {
            hints.release();
        }
    }

    /// Runs until the last listener has gone, or no event will come any more.
    void run() {
        try {
            for (int looks = 1; !hasEnded(); looks++) {
                if (hints.tryAcquire(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                    Thread.sleep(GATHER);
                    hints.drainPermits();
                }
                tell(looks % LOOKS_PER_SIGN_OF_LIFE == 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DamagedRecord | NewerRecord e) {
            LOG.warn("viewers are disconnected: " + e.getMessage());
        } finally {
            end();
        }
    }

    private void tell(boolean alive) {
        try {
            String news = String.join("", look());
            if (alive || !news.isEmpty()) {
                send(news.isEmpty() ? ALIVE : news);
            }
        } catch (StoreUnavailable e) {
            LOG.warn("viewers wait: " + e.getMessage());
        }
    }

    /// Not to a listener that is being added: the greeting comes first.
    private synchronized void send(String text) {
        listeners.forEach(listener -> send(listener, text));
    }

    /// Disconnects slow clients; a browser connects again and begins with the current state.
    private void send(HttpServerResponse listener, String text) {
        if (listener.writeQueueFull()) {
            listeners.remove(listener);
            listener.reset();
        } else if (!listener.ended()) {
            listener.write(text);
        }
    }

    private synchronized boolean hasEnded() {
        over = listeners.isEmpty() || isLast();
        return over;
    }

    private synchronized void end() {
        over = true;
        listeners.stream().filter(listener -> !listener.ended()).forEach(HttpServerResponse::end);
    }
}

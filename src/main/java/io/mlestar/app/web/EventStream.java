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

/// A stream of server-sent events about one thing, for all who listen: it looks for news every two seconds, or at once when this process
/// knows that there are some, and only while somebody listens.
abstract class EventStream {
    private static final Logger LOG = Logger.getLogger("mle_star.http");
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    /// News that come together are told together.
    private static final Duration GATHER = Duration.ofMillis(450);
    /// Keeps the connection open through proxies, and shows who has gone.
    private static final String ALIVE = ":\n\n";
    private static final int LOOKS_PER_SIGN_OF_LIFE = 7;

    private final Set<HttpServerResponse> listeners = ConcurrentHashMap.newKeySet();
    private final Semaphore hints = new Semaphore(0);
    private boolean over;

    /// What is told to somebody who begins to listen.
    abstract String greeting();

    /// What has happened since the last look.
    abstract List<String> look();

    /// Whether nothing will happen any more.
    abstract boolean isLast();

    /// Begins to listen, and looks for news from now on.
    ///
    /// @return false if this stream has ended; another one is needed
    synchronized boolean add(HttpServerResponse response) {
        if (over) {
            return false;
        }
        response.closeHandler(closed -> listeners.remove(response));
        response.exceptionHandler(failure -> listeners.remove(response));
        response.write(greeting());
        listeners.add(response);
        if (listeners.size() == 1) {
            hints.release();
        }
        return true;
    }

    /// How many listen.
    int size() {
        return listeners.size();
    }

    /// There may be news.
    void hint() {
        if (hints.availablePermits() == 0) {
            hints.release();
        }
    }

    /// Goes on until nobody listens, or nothing will happen any more.
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
            LOG.warn("viewers are sent away: " + e.getMessage());
        } finally {
            end();
        }
    }

    private void tell(boolean alive) {
        try {
            String news = String.join("", look());
            if (alive || !news.isEmpty()) {
                listeners.forEach(listener -> send(listener, news.isEmpty() ? ALIVE : news));
            }
        } catch (StoreUnavailable e) {
            LOG.warn("viewers wait: " + e.getMessage());
        }
    }

    /// Who cannot keep up is let go; the browser comes back and begins with the state as it is then.
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

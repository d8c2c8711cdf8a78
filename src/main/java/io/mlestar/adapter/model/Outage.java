package io.mlestar.adapter.model;

import io.mlestar.adapter.model.MeteredHttpClient.ModelCall;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.step.ModelUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Tells whether a model answers. When all tries of a call have failed, the model counts as away:
/// from then on one call at a time asks it, at growing pauses, and the other calls of this process
/// wait for its result.
final class Outage {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");
    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(5));

    /// The outage of a model that is away.
    ///
    /// @param failed how many tries in a row
    /// @param next when it may be asked again
    private record Away(Instant since, int failed, Instant next, String why) {}

    /// A longer pause is said with its end.
    private static final Duration LONG = Duration.ofSeconds(30);

    private final String model;
    private final InstantSource clock;
    /// Held by the call that asks.
    private final ReentrantLock probe = new ReentrantLock(true);
    private volatile @Nullable Away away;

    /// @param model as `provider:name`
    Outage(String model, InstantSource clock) {
        this.model = model;
        this.clock = clock;
    }

    /// Waits until a request may be made. While the model is away the caller then is the one that
    /// asks, until it reports the result.
    ///
    /// @return whether the model is away
    /// @throws ModelUnavailable if the call's time is over first
    boolean await(ModelCall call, Retries.Sleeper sleeper) throws InterruptedException {
        if (away == null) {
            return false;
        }
        if (!probe.tryLock(call.left().toMillis(), TimeUnit.MILLISECONDS)) {
            throw unavailable();
        }
        boolean asks = false;
        try {
            Away now = away;
            Duration pause =
                    now == null ? Duration.ZERO : Duration.between(clock.instant(), now.next());
            boolean inTime = pause.compareTo(call.left()) < 0;
            if (pause.isPositive()) {
                sleeper.sleep(inTime ? pause : call.left());
            }
            if (!inTime) {
                throw unavailable();
            }
            asks = now != null;
            return asks;
        } finally {
            if (!asks) {
                probe.unlock();
            }
        }
    }

    /// The failure of a call whose time is over.
    ModelUnavailable unavailable() {
        Away now = away;
        return new ModelUnavailable(
                "model " + model + (now == null
                        ? " was not asked: no time is left"
                        : " has not answered since " + now.since() + ": " + now.why()));
    }

    /// All tries of a call have failed, or the one that asks whether the model is back.
    ///
    /// @param pause that the server asks for, at least
    void failed(String why, Duration pause) {
        Away before = away;
        if (before != null && !probe.isHeldByCurrentThread()) {
            // A call that began before: what it has found is known.
            return;
        }
        Instant now = clock.instant();
        int failed = before == null ? 1 : before.failed() + 1;
        Duration own = PAUSES.pause(failed);
        Duration longer = pause.compareTo(own) > 0 ? pause : own;
        if (before == null) {
            LOG.warnf(
                    "model %s is away: %s; all that needs it waits, and one request at a time asks whether it is back%s",
                    model, why, untilWhen(clock, longer));
        } else if (pause.compareTo(own) > 0 && pause.compareTo(LONG) > 0) {
            LOG.warnf("model %s is still away: %s; it is asked again%s", model, why,
                    untilWhen(clock, pause));
        }
        away = new Away(before == null ? now : before.since(), failed, now.plus(longer), why);
        release();
    }

    /// Says when a long pause ends; empty for a short one.
    static String untilWhen(InstantSource clock, Duration pause) {
        return pause.compareTo(LONG) > 0
                ? ", at " + clock.instant().plus(pause).truncatedTo(ChronoUnit.SECONDS)
                : "";
    }

    /// The server has answered, if only to refuse a question.
    void over() {
        Away before = away;
        away = null;
        if (before != null) {
            LOG.infof("model %s answers again, after %d s", model,
                    Duration.between(before.since(), clock.instant()).toSeconds());
        }
        release();
    }

    /// Lets another call ask.
    void release() {
        if (probe.isHeldByCurrentThread()) {
            probe.unlock();
        }
    }
}

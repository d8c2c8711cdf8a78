package io.mlestar.adapter.model;

import dev.langchain4j.exception.ContentFilteredException;
import io.mlestar.adapter.model.CallFailure.FailureKind;
import io.mlestar.adapter.model.MeteredHttpClient.ModelCall;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// Retries a request when that may help: 429, 5xx, broken connections, timeouts, bodies that make
/// no sense (once). Waits 1, 2 and 4 seconds, with a bit more by chance, or as long as the server
/// asks for (REQ-OR-052).
///
/// @param clock by which the time of a call is measured
/// @param sleeper waits between two attempts
/// @param listener follows failures and successes
/// @param outages by model
record Retries(
        InstantSource clock,
        Sleeper sleeper,
        ModelCallListener listener,
        Map<String, Outage> outages) {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");
    private static final int TRIES = 4;
    /// Each may be billed, and a server that sends what cannot be read mostly does so again.
    private static final int UNREADABLE_TRIES = 2;
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(4));

    Retries(InstantSource clock, Sleeper sleeper, ModelCallListener listener) {
        this(clock, sleeper, listener, new ConcurrentHashMap<>());
    }

    /// Waits.
    @FunctionalInterface
    interface Sleeper {
        /// Really waits.
        Sleeper REAL = Thread::sleep;

        void sleep(Duration pause) throws InterruptedException;
    }

    /// The money for the attempts of one request.
    interface Purse {
        /// Counts a failed attempt that the provider may bill.
        void perhapsBilled();

        /// True if there is money for another attempt.
        boolean mayTryAgain();
    }

    /// @throws ContentFilteredException if the model refuses to answer
    /// @throws PartRefused if the provider says that it does not take a part of the question
    /// @throws StepFailed if the provider says that the question itself is wrong
    /// @throws ModelUnavailable if it did not work out, or the call's time is over
    <T> T call(
            String model,
            Optional<StepPath> step,
            ModelCall call,
            Purse purse,
            Supplier<T> request) {
        String provider = model.substring(0, Math.max(0, model.indexOf(':')));
        Outage outage = outages.computeIfAbsent(model, name -> new Outage(name, clock));
        int unreadable = 0;
        int attempt = 1;
        boolean isBilled = false;
        while (true) {
            if (!call.left().isPositive()) {
                throw outage.unavailable();
            }
            if (isBilled && !purse.mayTryAgain()) {
                throw new ModelUnavailable(
                        "model " + model + " was not asked again: there is no money left for it");
            }
            boolean isAway = awaited(model, outage, call);
            try {
                T answer = ScopedValue.where(MeteredHttpClient.CALL, call).call(request::get);
                outage.over();
                listener.answered(step, provider);
                return answer;
            } catch (RuntimeException e) {
                isBilled = call.isPerhapsBilled();
                if (isBilled) {
                    purse.perhapsBilled();
                }
                if (e instanceof ContentFilteredException) {
                    outage.over();
                    throw e;
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw interrupted(model);
                }
                CallFailure failure = call.failure(e);
                unreadable += failure.kind() == FailureKind.UNREADABLE ? 1 : 0;
                if (!failure.kind().mayPass || unreadable == UNREADABLE_TRIES) {
                    outage.over();
                    if (call.goesOnWithout(failure.toString())) {
                        unreadable = 0;
                        continue;
                    }
                    throw failed(model, failure, call.refused());
                }
                if (isAway) {
                    outage.failed(failure.toString(), call.retryAfter().orElse(Duration.ZERO));
                    continue;
                }
                Duration pause = pause(call, attempt);
                if (attempt == TRIES || call.left().compareTo(pause) < 0) {
                    outage.failed(failure.toString(), call.retryAfter().orElse(Duration.ZERO));
                    listener.givenUp(step, provider,
                            "model " + model + " does not answer: " + failure);
                    throw new ModelUnavailable("model " + model + " did not answer: " + failure);
                }
                String next = String.format(Locale.ROOT, "; try %d, next in %d s%s", attempt,
                        Math.round(pause.toMillis() / 1e3), Outage.untilWhen(clock, pause));
                listener.retried(step, provider, failure.kind().reason,
                        "model " + model + " does not answer: " + failure + next);
                LOG.warnf("model %s does not answer: %s%s", model, failure, next);
                sleep(model, pause);
                attempt++;
            } finally {
                outage.release();
            }
        }
    }

    private static RuntimeException failed(
            String model,
            CallFailure failure,
            Optional<RequestPart> refused) {
        String said = "model " + model + switch (failure.kind()) {
            case KEY -> " refuses the key: ";
            case UNREADABLE -> " gives no answer that can be read: ";
            case RATE_LIMIT, OVERLOAD, TIMEOUT, UNREACHABLE, CUT, FOREIGN, NOT_FOUND, REFUSED ->
                " refuses the request: ";
        } + failure;
        return refused.isPresent()
                ? new PartRefused(refused.get(), said, 0.0)
                : new StepFailed(said);
    }

    private boolean awaited(String model, Outage outage, ModelCall call) {
        try {
            return outage.await(call, sleeper);
        } catch (InterruptedException e) {
            throw interrupted(model);
        }
    }

    private static Duration pause(ModelCall call, int attempt) {
        Duration own = BACKOFF.jittered(attempt);
        return call.retryAfter().filter(asked -> asked.compareTo(own) > 0).orElse(own);
    }

    private void sleep(String model, Duration pause) {
        try {
            sleeper.sleep(pause);
        } catch (InterruptedException e) {
            throw interrupted(model);
        }
    }

    private static ModelUnavailable interrupted(String model) {
        Thread.currentThread().interrupt();
        return new ModelUnavailable(
                "model " + model + " was not waited for: the call was interrupted");
    }
}

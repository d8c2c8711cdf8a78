package io.mlestar.llm;

import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.TimeoutException;
import io.mlestar.llm.Model.ModelUnavailable;
import io.mlestar.step.StepFailed;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// Asks a provider again when that may help: 429, 5xx, broken connections, timeouts, bodies that make no sense. Waits 1, 2 and
/// 4 seconds, or as long as `retry-after` says, with a bit more by chance (REQ-OR-052).
///
/// @param firstPause before the first retry
/// @param watcher is told of each retry
record Retries(Duration firstPause, CallWatcher watcher) {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");
    private static final int TRIES = 4;

    /// @param end after which nothing is tried any more
    /// @throws ContentFilteredException if the model refuses to answer
    /// @throws StepFailed if the provider says that the question itself is wrong
    /// @throws ModelUnavailable if it did not work out
    <T> T call(String model, Exchange.Call call, Instant end, Supplier<T> request) {
        for (int attempt = 1; ; attempt++) {
            try {
                return ScopedValue.where(Exchange.CALL, call).call(request::get);
            } catch (AuthenticationException e) {
                throw new StepFailed("model " + model + " refuses the key: check the provider's API key setting");
            } catch (ContentFilteredException e) {
                throw e;
            } catch (InvalidRequestException | ModelNotFoundException e) {
                throw new StepFailed("model " + model + " refuses the request: " + shorten(e));
            } catch (RuntimeException e) {
                Duration pause = pause(call, attempt);
                if (attempt == TRIES || Instant.now().plus(pause).isAfter(end)) {
                    throw new ModelUnavailable("model " + model + " did not answer: " + shorten(e), e);
                }
                watcher.retried(model.substring(0, Math.max(0, model.indexOf(':'))), reason(e));
                LOG.warnf("model %s: try %d failed (%s), again in %d ms", model, attempt, shorten(e), pause.toMillis());
                sleep(pause);
            }
        }
    }

    private static String reason(RuntimeException failure) {
        return switch (failure) {
            case RateLimitException limit -> "rate_limit";
            case InternalServerException overload -> "overload";
            case TimeoutException timeout -> "timeout";
            case UncheckedIOException connection -> "connection";
            default -> failure.getCause() instanceof UncheckedIOException ? "connection" : "unreadable";
        };
    }

    private Duration pause(Exchange.Call call, int attempt) {
        double own = firstPause.toMillis() * (1 << (attempt - 1)) * (1 + ThreadLocalRandom.current().nextDouble(0.25));
        return Duration.ofMillis((long) Math.max(own, call.retryAfterSeconds().orElse(0) * 1000));
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a model", e);
        }
    }

    private static String shorten(RuntimeException e) {
        String text = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }
}

package io.mlestar.app.web;

import io.mlestar.app.http.ErrorResponses;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// Limits the requests for pages at once, waiting ones included; the others are asked to come again. A few threads of their own work on them: health,
/// functions and events do not wait behind pages. Requests of clients that have gone are dropped.
@Singleton
final class ConcurrencyLimit {
    private static final int MOST_REQUESTS = 64;
    private static final int MOST_AT_WORK = 8;
    private static final String SECONDS = "2";

    private final Semaphore places;
    private final Executor workers;

    @Inject
    ConcurrencyLimit() {
        this(MOST_REQUESTS, MOST_AT_WORK);
    }

    ConcurrencyLimit(int most, int atWork) {
        this.places = new Semaphore(most);
        this.workers = Executors.newFixedThreadPool(atWork, Thread.ofPlatform().daemon().name("page-", 0).factory());
    }

    Handler<RoutingContext> limit(Handler<RoutingContext> work) {
        return context -> {
            if (places.tryAcquire()) {
                workers.execute(() -> work(context, work));
            } else {
                refuse(context);
            }
        };
    }

    private void work(RoutingContext context, Handler<RoutingContext> work) {
        try {
            if (!context.response().closed()) {
                work.handle(context);
            }
        } catch (RuntimeException | Error e) {
            context.fail(e);
        } finally {
            places.release();
        }
    }

    static void refuse(RoutingContext context) {
        context.response().putHeader("Retry-After", SECONDS);
        ErrorResponses.tell(context, 503, "too many are looking just now; come again in " + SECONDS + " seconds");
    }
}

package io.mlestar.web;

import io.mlestar.http.Refused;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.Semaphore;

/// Lets only so many look at once, waiting ones counted in; the others are asked to come again. Nothing is done for who has gone.
final class ConcurrencyLimit {
    private static final String SECONDS = "2";

    private final Semaphore places;

    ConcurrencyLimit(int most) {
        this.places = new Semaphore(most);
    }

    /// Takes a place, on the way to what [#with] does.
    void enter(RoutingContext context) {
        if (!places.tryAcquire()) {
            throw full(context);
        }
        context.next();
    }

    /// @return says that there is no place just now
    static Refused full(RoutingContext context) {
        context.response().putHeader("Retry-After", SECONDS);
        return new Refused(503, "too many are looking just now; come again in " + SECONDS + " seconds");
    }

    /// Does something and gives the place back.
    void with(RoutingContext context, Handler<RoutingContext> work) {
        try {
            if (!context.response().closed()) {
                work.handle(context);
            }
        } finally {
            places.release();
        }
    }
}

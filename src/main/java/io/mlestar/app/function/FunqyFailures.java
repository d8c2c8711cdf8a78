package io.mlestar.app.function;

import io.quarkus.funqy.runtime.ApplicationException;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;

/// Takes the exception of a function out of Funqy's wrapping, for `ErrorResponses`.
class FunqyFailures {
    private static final int BEFORE_THE_ANSWER = -1001;

    void install(@Observes Router router) {
        router.route().order(BEFORE_THE_ANSWER).failureHandler(FunqyFailures::unwrap);
    }

    private static void unwrap(RoutingContext context) {
        if (context.failure() instanceof ApplicationException wrapped
                && wrapped.getCause() != null) {
            context.fail(context.statusCode(), wrapped.getCause());
        } else {
            context.next();
        }
    }
}

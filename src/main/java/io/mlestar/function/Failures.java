package io.mlestar.function;

import io.mlestar.event.Publisher.BrokerUnavailable;
import io.mlestar.llm.Model.ModelUnavailable;
import io.mlestar.step.StepFailed;
import io.mlestar.step.UnreadableAnswer;
import io.mlestar.store.StoreUnavailable;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import org.jboss.logging.Logger;

/// Gives each failure the status that answers one question: should this be delivered again? 5xx says yes, 400 and 422 no.
class Failures {
    private static final Logger LOG = Logger.getLogger("mle_star.http");
    private static final int BEFORE_FUNQY = -1000;

    void install(@Observes Router router) {
        router.route().order(BEFORE_FUNQY).failureHandler(Failures::answer);
    }

    private static void answer(RoutingContext context) {
        Throwable failure = context.failure();
        if (context.response().ended() || failure == null) {
            context.next();
            return;
        }
        boolean isEvent = context.request().getHeader("ce-id") != null;
        int status = switch (failure) {
            case Invalid invalid -> isEvent ? 422 : 400;
            case UnreadableAnswer unreadable -> 502;
            case StepFailed failed -> 502;
            case ModelUnavailable unavailable -> 503;
            case StoreUnavailable unavailable -> 503;
            case BrokerUnavailable unavailable -> 503;
            default -> 500;
        };
        if (status == 500) {
            LOG.error("unexpected failure at " + context.request().path(), failure);
        }
        String message = status == 500 ? "unexpected failure; the log says more" : failure.getMessage();
        context.response().setStatusCode(status).putHeader("Content-Type", "application/json")
                .end(Json.text(Json.object().put("error", message)));
    }
}

package io.mlestar.app.http;

import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Unavailable;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import java.util.Objects;
import org.jboss.logging.Logger;

/// Gives each failure the status that answers one question: should this be delivered again? 5xx
/// says yes, 400 and 422 no. Programs get it as problem details (RFC 9457) of no type of their own:
/// the status says what can be done about it, `detail` is the sentence for people.
public final class ErrorResponses {
    /// A newer program could do it (RFC 9110, 15.6.2).
    public static final int NEWER_PROGRAM = 501;
    private static final Logger LOG = Logger.getLogger("mle_star.http");
    private static final int BEFORE_FUNQY = -1000;

    private final Instance<ErrorPage> page;

    /// Says to a browser what went wrong. A program without pages has none, and answers browsers as
    /// it answers programs.
    public interface ErrorPage {
        void show(RoutingContext context, int status, String message);
    }

    ErrorResponses(Instance<ErrorPage> page) {
        this.page = page;
    }

    void install(@Observes Router router) {
        router.route().order(BEFORE_FUNQY).failureHandler(this::answer);
        // A request that no handler has answered: the server would answer in its own words.
        router.route().order(Integer.MAX_VALUE).handler(context -> context.fail(404));
    }

    private void answer(RoutingContext context) {
        if (context.response().ended()) {
            return;
        }
        if (context.failure() == null) {
            // Funqy's own refusals have a status and no words; its 406 is about the body's type,
            // which is 415 (RFC 9110, 15.5.16).
            int refused = context.statusCode() == 406 ? 415 : context.statusCode();
            say(context, refused, switch (refused) {
                case 400 -> "the body is not valid JSON, or not what the function takes";
                case 404 -> "there is no such function, event type or page";
                case 413 -> "the body is too large";
                case 415 ->
                    "send Content-Type: application/json or application/cloudevents+json, not "
                            + Objects.requireNonNullElse(
                                    context.request().getHeader("Content-Type"), "none");
                default -> HttpResponseStatus.valueOf(refused).reasonPhrase();
            });
            return;
        }
        Throwable failure = context.failure();
        int status = switch (failure) {
            case Invalid invalid -> Envelope.isEvent(context.request()) ? 422 : 400;
            case HttpError refused -> refused.status();
            case UnreadableAnswer unreadable -> 502;
            case StepFailed failed -> 502;
            // The broker tries again, in case a newer program takes our place meanwhile, and a dead
            // letter of this status fails no step.
            case NewerRecord newer -> NEWER_PROGRAM;
            case Unavailable later -> 503;
            // For the broker it is final: no delivery would make the record whole.
            case DamagedRecord damaged -> Envelope.isEvent(context.request()) ? 422 : 500;
            // The server itself refuses some requests, such as one that names no host.
            default -> context.statusCode() / 100 == 4 ? context.statusCode() : 500;
        };
        boolean unexpected = status == 500 && !(failure instanceof DamagedRecord);
        if (unexpected) {
            LOG.error("unexpected failure at " + context.request().path(), failure);
        }
        say(context, status,
                unexpected
                        ? "unexpected failure; the log says more"
                        : String.valueOf(failure.getMessage()));
    }

    private void say(RoutingContext context, int status, String message) {
        if (context.response().closed()) {
            // The client has gone, or the server, which takes nothing to send any more.
            return;
        }
        if (page.isResolvable()
                && ContentNegotiation.form(context) == ContentNegotiation.MediaType.HTML) {
            page.get().show(context, status, message);
        } else {
            tell(context, status, message);
        }
    }

    /// Answers as to a program, also to a browser: that is cheap.
    public static void tell(RoutingContext context, int status, String message) {
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/problem+json")
                .end(Controls.shown(Json.line(Json.object()
                        .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
                        .put("status", status)
                        .put("detail", message))));
    }
}

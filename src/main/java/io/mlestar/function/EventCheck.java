package io.mlestar.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.event.Event;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import java.util.Locale;
import java.util.Objects;

/// Refuses an event that is none, before Funqy sees it: Funqy answers 404 or 500, which tells a broker to try again what can never succeed.
class EventCheck {
    /// After the failures' handler, which gives the refusal its words; before whoever looks at the event.
    private static final int BEFORE_THE_DOORKEEPER = -950;
    private static final String VERSION = "1.0";

    /// The request is no event that anybody here could take, and never will be.
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int status;

        Refused(int status, String message) {
            super(message);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    void install(@Observes Router router) {
        router.post().order(BEFORE_THE_DOORKEEPER).handler(this::check);
    }

    private void check(RoutingContext context) {
        // Dead letters come as they are: whatever was wrong with them has been said.
        if (!context.normalizedPath().equals(DeadLetters.PATH) && Envelope.isEvent(context.request())) {
            checkMode(context);
            Envelope event = Envelope.strictly(context);
            for (String name : Envelope.REQUIRED) {
                if (event.attribute().apply(name).isBlank()) {
                    throw new Refused(400, "the event has no " + name);
                }
            }
            if (!event.attribute().apply("specversion").equals(VERSION)) {
                throw new Refused(400, "specversion must be " + VERSION + ", but is " + event.attribute().apply("specversion"));
            }
            if (Functions.ALL.stream().noneMatch(function -> function.type().equals(event.type()))) {
                throw new Refused(422, "no function takes events of type " + event.type());
            }
            if (event.data().isMissingNode() && !event.type().equals(Event.SWEEP)) {
                throw new Refused(400, "the event has no data");
            }
        }
        context.next();
    }

    private static void checkMode(RoutingContext context) {
        String content = Objects.requireNonNullElse(context.request().getHeader("Content-Type"), "").toLowerCase(Locale.ROOT);
        if (content.startsWith("application/cloudevents-batch")) {
            throw new Refused(406, "send one event at a time");
        }
        boolean json = content.matches("(application|text)/([\\w.-]+\\+)?json *(;.*)?");
        if (!json && !(content.isEmpty() && Envelope.isBinary(context.request()))) {
            throw new Refused(415, "an event must be JSON, but the content type is " + content);
        }
    }

    /// Parses what an event carries.
    ///
    /// @throws Refused if it is not JSON
    static JsonNode json(String what, String text) {
        try {
            return Json.parse(text);
        } catch (Invalid e) {
            throw new Refused(400, what + " is " + e.getMessage());
        }
    }
}

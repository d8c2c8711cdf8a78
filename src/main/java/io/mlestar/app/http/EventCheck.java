package io.mlestar.app.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Functions;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// Refuses a malformed event before Funqy sees it: Funqy answers 404 or 500, which makes a broker
/// try again what can never succeed.
class EventCheck {
    /// Runs after the failures' handler, which gives the refusal its words, and before [RoleFilter]
    /// reads the event.
    private static final int BEFORE_THE_ROLE = -950;
    private static final String SWEEP = "/sweep";
    private static final String VERSION = "1.0";
    private static final int LONGEST = 1_000;
    /// Attributes that are kept, logged or sent on.
    private static final List<String> WORDS = List.of("id", "source", "type", "subject");

    void install(@Observes Router router) {
        router.post().order(BEFORE_THE_ROLE).handler(this::check);
    }

    private void check(RoutingContext context) {
        boolean isEvent = Envelope.isEvent(context.request());
        if (context.body().buffer() == null || !isEvent && context.normalizedPath().equals(SWEEP)) {
            // Funqy takes a body for granted, but fails to read one for a function without a
            // parameter.
            ((RoutingContextInternal) context).setBody(Buffer.buffer());
        }
        // Dead letters come as they are: whatever was wrong with them has been said.
        if (!context.normalizedPath().equals(Role.DEAD_LETTERS) && isEvent) {
            checkMode(context);
            if (Envelope.isStructured(context.request())) {
                // Funqy would believe them.
                List.copyOf(context.request().headers().names())
                        .stream()
                        .filter(name -> name.toLowerCase(Locale.ROOT).startsWith("ce-"))
                        .forEach(context.request().headers()::remove);
            }
            Envelope event = Envelope.strictly(context);
            for (String name : Envelope.REQUIRED) {
                if (event.attribute().apply(name).isBlank()) {
                    throw new HttpError(400, "the event has no " + name);
                }
            }
            for (String name : WORDS) {
                checkWord(name, event.attribute().apply(name));
            }
            if (!event.attribute().apply("specversion").equals(VERSION)) {
                throw new HttpError(400,
                        "specversion must be " + VERSION + ", but is "
                                + event.attribute().apply("specversion"));
            }
            String content = event.attribute().apply("datacontenttype");
            if (!content.isEmpty() && !Envelope.isJson(content)) {
                throw new HttpError(415, "datacontenttype must be JSON");
            }
            if (!content.isEmpty() && Envelope.isStructured(context.request())) {
                // Funqy knows one type, letter by letter.
                ObjectNode named = (ObjectNode) Envelope.json("the event", context.body().buffer());
                ((RoutingContextInternal) context).setBody(Buffer
                        .buffer(Json.bytes(named.put("datacontenttype", "application/json"))));
            }
            if (Functions.ALL.stream()
                    .noneMatch(function -> function.type().equals(event.type()))) {
                throw new HttpError(422, "no function takes events of type " + event.type());
            }
            if (event.data().isMissingNode() && !event.type().equals(Event.SWEEP)) {
                throw new HttpError(400, "the event has no data");
            }
        }
        Envelope.nameJson(context.request());
        context.next();
    }

    private static void checkMode(RoutingContext context) {
        String content =
                Objects.requireNonNullElse(context.request().getHeader("Content-Type"), "")
                        .toLowerCase(Locale.ROOT);
        if (content.startsWith("application/cloudevents-batch")) {
            throw new HttpError(415, "send one event at a time");
        }
        if (!Envelope.isJson(content)
                && !(content.isEmpty() && context.body().buffer().length() == 0)) {
            throw new HttpError(415,
                    "an event must be JSON, but its content type is "
                            + (content.isEmpty() ? "missing" : content));
        }
    }

    private static void checkWord(String name, String value) {
        if (value.length() > LONGEST) {
            throw new HttpError(400,
                    "the event's " + name + " must have at most " + LONGEST
                            + " characters, but has " + value.length());
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new HttpError(400, "the event's " + name + " must hold no control characters");
        }
    }
}

package io.mlestar.function;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.event.Event;
import io.mlestar.run.Engine;
import io.mlestar.task.Invalid;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;
import org.jboss.logging.Logger;

/// Takes what a broker gave up to deliver: the event unchanged, of whatever type, with extensions that say why. Funqy chooses
/// functions by type, so these come to a path of their own.
@Singleton
class DeadLetters {
    static final String PATH = "/dead-letter";
    private static final Logger LOG = Logger.getLogger("mle_star.http");
    private static final int BEFORE_FUNQY = -500;
    private static final int MOST_CHARACTERS = 500;
    /// They ask for no step, so no step can fail.
    private static final Set<String> ABOUT_RUNS = Set.of(Event.RUN_REQUESTED, Event.RUN_CANCELLED, Event.RUN_COMPLETED,
            Event.RUN_FAILED, Event.SWEEP);

    private final Engine engine;
    private final Metrics metrics;

    DeadLetters(Engine engine, Metrics metrics) {
        this.engine = engine;
        this.metrics = metrics;
    }

    void install(@Observes Router router) {
        router.post(PATH).order(BEFORE_FUNQY).blockingHandler(this::take, false);
    }

    private void take(RoutingContext context) {
        Envelope event = Envelope.of(context).orElse(null);
        if (event == null || event.type().equals(Event.DEAD_LETTER)) {
            context.next();
            return;
        }
        JsonNode letter = letter(event);
        LOG.warnf("event %s (%s) could not be delivered: %s", event.attribute().apply("id"), event.type(), letter.path("error").asText());
        metrics.deadLetter(event.type());
        if (!ABOUT_RUNS.contains(event.type())) {
            try {
                fail(letter);
            } catch (Invalid e) {
                // Nobody waits for a step that there is not; refusing the letter would bring it no further.
                LOG.warnf("event %s names nothing that could fail: %s", event.attribute().apply("id"), e.getMessage());
            }
        }
        context.response().setStatusCode(204).end();
    }

    /// The data of our own event about it: that of the event, its type, and why it died.
    private static ObjectNode letter(Envelope event) {
        String code = event.attribute().apply("knativeerrorcode");
        String said = event.attribute().apply("knativeerrordata");
        // Without an answer the code is -1.
        String error = ((code.isEmpty() ? "" : code.startsWith("-") ? "no answer:" : "answered " + code) + " " + said).strip();
        return ((ObjectNode) event.data().deepCopy()).put("type", event.type())
                .put("error", error.substring(0, Math.min(error.length(), MOST_CHARACTERS)));
    }

    /// Records a step that could not be done as failed, so that its phase goes on; again changes nothing.
    ///
    /// @throws Invalid if there is no such step
    void fail(JsonNode letter) {
        String error = letter.path("error").asText("");
        engine.fail(Event.stepOf(letter), "it could not be done" + (error.isEmpty() ? "" : ": " + error));
    }
}

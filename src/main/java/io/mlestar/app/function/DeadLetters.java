package io.mlestar.app.function;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.http.Envelope;
import io.mlestar.app.http.ErrorResponses;
import io.mlestar.app.http.Role;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.show.telemetry.ProcessMetrics;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import org.jboss.logging.Logger;

/// Takes what a broker gave up to deliver: the event unchanged, of whatever type, with extensions
/// that say why. Funqy chooses functions by type, so these come to a path of their own.
@Singleton
class DeadLetters {
    private static final Logger LOG = Logger.getLogger("mle_star.http");
    private static final int BEFORE_FUNQY = -500;
    private static final int MOST_CHARACTERS = 500;
    /// They ask for no step, so no step can fail.
    private static final Set<String> ABOUT_RUNS = Set.of(Event.RUN_CANCELLED, Event.RUN_COMPLETED,
            Event.RUN_FAILED, Event.SWEEP);

    /// The process that was to do the step is too old for the run's records, or the store was away,
    /// or there was no pod, for longer than a broker tries. The step is not to blame: the sweep
    /// sends it again.
    private static final Set<String> LATER =
            Set.of(Integer.toString(ErrorResponses.NEWER_PROGRAM), "503");

    private final Engine engine;
    private final ProcessMetrics metrics;
    private final RunRejections refusals;

    DeadLetters(Engine engine, ProcessMetrics metrics, RunRejections refusals) {
        this.engine = engine;
        this.metrics = metrics;
        this.refusals = refusals;
    }

    void install(@Observes Router router) {
        router.post(Role.DEAD_LETTERS).order(BEFORE_FUNQY).blockingHandler(this::take, false);
    }

    private void take(RoutingContext context) {
        Envelope.of(context)
                .filter(event -> !event.type().equals(Event.DEAD_LETTER))
                .ifPresentOrElse(event -> take(context, event), context::next);
    }

    private void take(RoutingContext context, Envelope event) {
        JsonNode letter = letter(event);
        String id = event.attribute().apply("id");
        String error = letter.path("error").asText();
        LOG.warnf("event %s (%s) could not be delivered: %s", id, event.type(), error);
        metrics.deadLetter(event.type());
        if (event.type().equals(Event.RUN_REQUESTED)) {
            refusals.tell(event.attribute().apply("source"), id, event.data(), error);
        } else if (!ABOUT_RUNS.contains(event.type())
                && !LATER.contains(event.attribute().apply("knativeerrorcode"))) {
            try {
                fail(letter);
            } catch (Invalid | DamagedRecord e) {
                // No phase waits for a step that does not exist, and a refusal would bring the
                // letter back.
                LOG.warnf("event %s fails nothing: %s", id, e.getMessage());
            }
        }
        context.response().setStatusCode(204).end();
    }

    /// The data of this program's event about it: those of the event, its type, and why it died.
    private static ObjectNode letter(Envelope event) {
        String error = reason(event.attribute().apply("knativeerrordest"),
                event.attribute().apply("knativeerrorcode"),
                said(event.attribute().apply("knativeerrordata")));
        return ((ObjectNode) event.data().deepCopy()).put("type", event.type())
                .put("error", Excerpt.clip(error, MOST_CHARACTERS));
    }

    /// Without an answer a broker sends the code -1, or neither code nor data.
    private static String reason(String destination, String code, String said) {
        boolean answered = !code.isEmpty() && !code.startsWith("-");
        String from = destination.isEmpty() ? "" : " from " + destination;
        String begin = answered ? "answered " + code : "no answer" + from;
        String colon = answered ? " " : ": ";
        return said.isEmpty() ? begin : begin + colon + said;
    }

    /// Brokers send base64, cut off at a certain length; others send the words as they are.
    private static String said(String data) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(data));
            CharBuffer text = CharBuffer.allocate(bytes.remaining());
            // The decoder does not know that this is the end: a character that was cut off there is
            // left out.
            boolean legible =
                    !StandardCharsets.UTF_8.newDecoder().decode(bytes, text, false).isError();
            return sentence((legible ? text.flip().toString() : data).strip());
        } catch (IllegalArgumentException e) {
            return sentence(data.strip());
        }
    }

    /// The sentence for people in problem details (RFC 9457).
    private static String sentence(String said) {
        try {
            return Json.parse(said).path("detail").asText(said);
        } catch (Invalid e) {
            return said;
        }
    }

    /// Records a step that could not be done as failed, so that its phase goes on, unless its model
    /// is away: see [Engine#undelivered]. Again changes nothing.
    ///
    /// @throws Invalid if there is no such step
    void fail(JsonNode letter) {
        StepPath step = Event.stepOf(letter);
        String error = letter.path("error").asText("");
        engine.undelivered(step, "it could not be done" + (error.isEmpty() ? "" : ": " + error));
    }
}

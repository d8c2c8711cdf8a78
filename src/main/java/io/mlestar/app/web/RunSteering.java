package io.mlestar.app.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.http.ContentNegotiation;
import io.mlestar.app.http.Envelope;
import io.mlestar.app.http.HttpError;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.steering.Pauses;
import io.mlestar.core.step.Note;
import io.mlestar.show.view.LiveRun;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.function.BiConsumer;

/// What is said to a run that goes on, by the forms of its page or by programs.
///
/// ```
/// POST /runs/{id}/cancel   lets it finish now
/// POST /runs/{id}/notes    tells it something: {"text": …, "by": …}
/// POST /runs/{id}/extend   gives it more time or money: {"add_minutes": …, "add_usd": …, "by": …}
/// POST /runs/{id}/pause    lets it begin nothing new: nothing, or {"by": …}
/// POST /runs/{id}/resume   lets it go on: nothing, or {"by": …}
/// ```
class RunSteering {
    private static final int BEFORE_FUNQY = -500;

    private final Records records;
    private final LiveRunCache cache;

    RunSteering(Records records, LiveRunCache cache) {
        this.records = records;
        this.cache = cache;
    }

    void install(@Observes Router router) {
        Notes notes = new Notes(records.store());
        Extensions extensions = new Extensions(records.store());
        Pauses pauses = new Pauses(records.store());
        steer(router, "cancel", (run, said) -> records.cancel(run.runId()));
        steer(router, "notes", (run, said) -> notes.add(run.runId(), new Note(Instant.now(), by(said), said.path("text").asText())));
        steer(router, "extend", (run, said) -> extensions.add(run, Extension.asked(Instant.now(), by(said), said.path("add_minutes").asText(),
                said.path("add_usd").asText())));
        steer(router, "pause", (run, said) -> pauses.begin(run.runId(), Instant.now(), by(said)));
        steer(router, "resume", (run, said) -> pauses.lift(run.runId(), Instant.now(), by(said)));
    }

    private static String by(JsonNode said) {
        return said.path("by").asText();
    }

    private void steer(Router router, String what, BiConsumer<RunHeader, JsonNode> saying) {
        router.post("/runs/:run/" + what).order(BEFORE_FUNQY).blockingHandler(context -> {
            LiveRun live = cache.of(context.pathParam("run"));
            String run = live.run().runId();
            records.refusal(run).ifPresent(why -> {
                throw new HttpError(HttpURLConnection.HTTP_CONFLICT, why);
            });
            boolean page = ContentNegotiation.form(context) == ContentNegotiation.MediaType.HTML;
            saying.accept(live.run(), said(context, page));
            live.lookAgain();
            if (page) {
                context.response().setStatusCode(HttpURLConnection.HTTP_SEE_OTHER).putHeader("Location", "/runs/" + run).end();
            } else {
                context.response().setStatusCode(HttpURLConnection.HTTP_NO_CONTENT).end();
            }
        }, false);
    }

    /// What a form says, or a program's JSON.
    private static JsonNode said(RoutingContext context, boolean page) {
        MultiMap typed = context.request().formAttributes();
        Buffer body = context.body().buffer();
        if (typed.isEmpty() && body != null && body.length() > 0) {
            return Envelope.json("the body", body);
        }
        ObjectNode said = Json.object().put("by", page || !typed.isEmpty() ? "the page" : "a program");
        typed.forEach(said::put);
        return said;
    }
}

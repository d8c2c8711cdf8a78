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
import io.mlestar.core.steering.Steering;
import io.mlestar.core.step.Note;
import io.mlestar.show.view.LiveRun;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.function.BiFunction;

/// Takes the requests that people and programs make of a run, by the forms of its page or by JSON.
///
/// ```
/// POST /runs/{id}/cancel   finish now
/// POST /runs/{id}/notes    a note for its planners: {"text": …, "by": …}
/// POST /runs/{id}/extend   more time or money: {"add_minutes": …, "add_usd": …, "by": …}
/// ```
class RunSteering {
    private static final int BEFORE_FUNQY = -500;

    private final LiveRunCache cache;

    RunSteering(LiveRunCache cache) {
        this.cache = cache;
    }

    void install(@Observes Router router, Records records) {
        Steering steering = new Steering(records);
        steer(router, "cancel", (run, said) -> steering.cancel(run));
        steer(router, "notes",
                (run, said) -> steering.tell(run,
                        new Note(Instant.now(), by(said), said.path("text").asText())));
        steer(router, "extend",
                (run, said) -> steering.extend(run, Extension.asked(Instant.now(), by(said),
                        said.path("add_minutes").asText(), said.path("add_usd").asText())));
    }

    private static String by(JsonNode said) {
        return said.path("by").asText();
    }

    private void steer(
            Router router,
            String what,
            BiFunction<RunHeader, JsonNode, Steering.Effect> steering) {
        router.post("/runs/:run/" + what).order(BEFORE_FUNQY).blockingHandler(context -> {
            LiveRun live = cache.of(context.pathParam("run"));
            boolean page = ContentNegotiation.form(context) == ContentNegotiation.MediaType.HTML;
            steering.apply(live.run(), said(context, page))
                    .orThrow(why -> new HttpError(HttpURLConnection.HTTP_CONFLICT, why));
            live.lookAgain();
            if (page) {
                context.response()
                        .setStatusCode(HttpURLConnection.HTTP_SEE_OTHER)
                        .putHeader("Location", "/runs/" + live.run().runId())
                        .end();
            } else {
                context.response().setStatusCode(HttpURLConnection.HTTP_NO_CONTENT).end();
            }
        }, false);
    }

    /// Reads a form or a program's JSON, and adds which of both it was.
    static JsonNode said(RoutingContext context, boolean page) {
        MultiMap typed = context.request().formAttributes();
        Buffer body = context.body().buffer();
        if (typed.isEmpty() && body != null && body.length() > 0) {
            return Envelope.json("the body", body);
        }
        ObjectNode said =
                Json.object().put("by", page || !typed.isEmpty() ? "the page" : "a program");
        typed.forEach(said::put);
        return said;
    }
}

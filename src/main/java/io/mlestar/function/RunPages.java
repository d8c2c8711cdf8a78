package io.mlestar.function;

import io.mlestar.report.Report;
import io.mlestar.report.RunState;
import io.mlestar.run.Records;
import io.mlestar.run.RunHeader;
import io.mlestar.run.StepRequest;
import io.mlestar.run.StepResult;
import io.mlestar.run.Watcher;
import io.mlestar.step.StepPath;
import io.mlestar.task.Json;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What one can look at: `GET /runs`, `/runs/{id}`, `/runs/{id}/events` (server-sent events), `/runs/{id}/report`.
class RunPages {
    private static final int BEFORE_FUNQY = -500;

    /// There is nothing to look at.
    static final class NotFound extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotFound(String message) {
            super(message);
        }
    }

    private final Records records;
    private final Watchers watchers;

    RunPages(Records records, Watchers watchers) {
        this.records = records;
        this.watchers = watchers;
    }

    void install(@Observes Router router) {
        router.get("/runs").order(BEFORE_FUNQY).blockingHandler(context -> json(context, runs()), false);
        router.get("/runs/:run").order(BEFORE_FUNQY).blockingHandler(context -> json(context, state(header(context))), false);
        router.get("/runs/:run/report").order(BEFORE_FUNQY).blockingHandler(this::report, false);
        router.get("/runs/:run/events").order(BEFORE_FUNQY).blockingHandler(this::events, false);
    }

    private List<RunState> runs() {
        return records.runs().stream().map(records::header).flatMap(Optional::stream).map(this::state).toList();
    }

    private RunState state(RunHeader header) {
        return RunState.of(records, header, Instant.now());
    }

    private RunHeader header(RoutingContext context) {
        String run = context.pathParam("run");
        return records.header(StepPath.root(run).run()).orElseThrow(() -> new NotFound("there is no run " + run));
    }

    private void report(RoutingContext context) {
        RunHeader header = header(context);
        byte[] report = Report.of(records, header)
                .orElseThrow(() -> new NotFound("run " + header.runId() + " has no report yet: it has not ended"));
        context.response().putHeader("Content-Type", "text/html; charset=utf-8")
                .putHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
                .end(io.vertx.core.buffer.Buffer.buffer(report));
    }

    private void events(RoutingContext context) {
        RunHeader header = header(context);
        HttpServerResponse response = context.response().setChunked(true)
                .putHeader("Content-Type", "text/event-stream").putHeader("Cache-Control", "no-store");
        Watcher watcher = new Watcher() {
            @Override
            public void started(RunHeader run, StepPath step, StepRequest request) {
                send(run, "started", step);
            }

            @Override
            public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
                send(run, result.status().name().toLowerCase(Locale.ROOT), step);
                if (run.runId().equals(header.runId()) && step.inside().isEmpty()) {
                    end(response, state(header));
                }
            }

            private void send(RunHeader run, String what, StepPath step) {
                if (run.runId().equals(header.runId()) && !response.ended()) {
                    response.write(event("step", Json.object().put("step", step.toString()).put("status", what)));
                }
            }
        };
        watchers.add(watcher);
        response.closeHandler(closed -> watchers.remove(watcher));
        RunState now = state(header);
        if (now.status().equals("running")) {
            response.write(event("state", now));
        } else {
            end(response, now);
        }
    }

    /// The last thing that is said of a run is how it ended.
    private static void end(HttpServerResponse response, RunState state) {
        if (!response.ended()) {
            response.end(event("state", state));
        }
    }

    private static String event(String name, Object data) {
        return "event: " + name + "\ndata: " + Json.line(data) + "\n\n";
    }

    private static void json(RoutingContext context, Object value) {
        context.response().putHeader("Content-Type", "application/json").end(Json.text(value));
    }
}

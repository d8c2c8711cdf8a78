package io.mlestar.app.web;

import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.RunStatus;
import io.mlestar.show.view.StepRow;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Server-sent events of runs, whichever process works on them: `state` (a run's figures, at first and at the end) and `step` (one step was asked
/// for or has ended).
@Singleton
class RunEvents implements Watcher {
    private static final String ALL = "";
    private static final int MOST_LISTENERS = 256;

    private final LiveRunCache cache;
    private final Map<String, EventStream> streams = new ConcurrentHashMap<>();

    RunEvents(LiveRunCache cache, Watchers watchers) {
        this.cache = cache;
        watchers.add(this);
    }

    /// Events of one run until it has ended.
    void ofRun(String run, RoutingContext context) {
        LiveRun live = cache.of(run);
        follow(run, context, () -> new OneRun(live));
    }

    /// Events of all runs: `run` with the figures of one that has begun or changed.
    void ofAll(RoutingContext context) {
        follow(ALL, context, AllRuns::new);
    }

    private void follow(String what, RoutingContext context, Supplier<EventStream> maker) {
        if (streams.values().stream().mapToInt(EventStream::size).sum() >= MOST_LISTENERS) {
            ConcurrencyLimit.refuse(context);
            return;
        }
        HttpServerResponse response = context.response();
        response.setChunked(true).putHeader("Content-Type", "text/event-stream");
        streams.compute(what, (key, known) -> {
            if (known != null && known.add(response)) {
                return known;
            }
            EventStream made = maker.get();
            made.add(response);
            Thread.startVirtualThread(() -> {
                made.run();
                streams.remove(what, made);
            });
            return made;
        });
    }

    @Override
    public void asked(RunHeader run, StepPath step, StepRequest request) {
        hint(run);
    }

    @Override
    public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        hint(run);
    }

    private void hint(RunHeader run) {
        EventStream stream = streams.get(run.runId());
        if (stream != null) {
            stream.hint();
        }
    }

    private static String state(RunFigures figures, String name) {
        return event(name, Json.object().put("run_id", figures.runId()).put("status", figures.state().toString())
                .put("current_phase", figures.currentPhase()).put("best_score_so_far", figures.bestScoreSoFar())
                .put("accumulated_cost_usd", figures.accumulatedCostUsd()).put("elapsed_seconds", figures.elapsedSeconds(Instant.now()))
                .put("cancelled", figures.cancelled()).put("error", figures.error()));
    }

    private static String event(String name, Object data) {
        return "event: " + name + "\ndata: " + Controls.shown(Json.line(data)) + "\n\n";
    }

    private static final class OneRun extends EventStream {
        private final LiveRun live;
        private int told;
        private RunStatus shown;
        private boolean last;

        OneRun(LiveRun live) {
            this.live = live;
            this.told = live.newsCount();
            this.shown = live.figures().state();
            this.last = live.hasEnded();
        }

        @Override
        String greeting() {
            return state(live.figures(), "state");
        }

        @Override
        List<String> look() {
            live.refresh();
            List<String> events = new ArrayList<>();
            List<StepRow> news = live.newsSince(told);
            told += news.size();
            news.forEach(row -> events.add(event("step", Json.object().put("step", row.step().toString())
                    .put("status", row.outcome().toString()))));
            last = live.hasEnded();
            RunFigures figures = live.figures();
            if (figures.state() != shown) {
                shown = figures.state();
                events.add(state(figures, "state"));
            }
            return events;
        }

        @Override
        boolean isLast() {
            return last;
        }
    }

    private final class AllRuns extends EventStream {
        private static final int NEWEST = 50;
        private Map<String, RunFigures> told = figures();

        private Map<String, RunFigures> figures() {
            Map<String, RunFigures> figures = new ConcurrentHashMap<>();
            cache.newestFirst().stream().limit(NEWEST)
                    .forEach(run -> cache.figures(run).ifPresent(found -> figures.put(run, found)));
            return figures;
        }

        @Override
        String greeting() {
            return event("runs", Json.object().put("count", told.size()));
        }

        @Override
        List<String> look() {
            Map<String, RunFigures> now = figures();
            List<String> events = now.values().stream().filter(figures -> !figures.equals(told.get(figures.runId())))
                    .map(figures -> state(figures, "run")).toList();
            told = now;
            return events;
        }

        @Override
        boolean isLast() {
            return false;
        }
    }
}

package io.mlestar.app.web;

import io.mlestar.app.http.ContentNegotiation;
import io.mlestar.app.http.ErrorResponses.ErrorPage;
import io.mlestar.app.http.HttpError;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.report.Headline;
import io.mlestar.show.report.Report;
import io.mlestar.show.report.ReportModel.Fact;
import io.mlestar.show.report.ShownText;
import io.mlestar.show.report.SolutionChart;
import io.mlestar.show.view.Comparison;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.SolutionAncestry;
import io.mlestar.show.view.StepDetail;
import io.mlestar.show.view.StepList;
import io.mlestar.show.view.StepRow;
import io.quarkus.qute.EngineBuilder;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The pages for browsers, and the same as JSON for programs.
///
/// ```
/// /, /runs                        all runs, the newest first
/// /compare?run=A&run=B            several runs side by side
/// /workflow                       which function asks which
/// /new                            the form that starts a run: [NewRunPage]
/// /runs/{id}                      one run
/// /runs/{id}/steps                all its steps in figures, as JSON
/// /runs/{id}/steps/{path}         one step
/// /runs/{id}/report, /files/…     what it ended with
/// /runs/{id}/live, /tree/{path}   parts of the page of a run
/// /runs/{id}/output, /output/{path}  what its scripts have printed so far
/// ```
///
/// A page asks again every few seconds, and gets 304 if nothing has changed.
@Singleton
class RunPages implements ErrorPage {
    private static final int BEFORE_FUNQY = -500;
    private static final int MOST_PHASES = 60;
    private static final Map<String, String> FILES =
            Map.of(RunFiles.SUBMISSION, "text/csv; charset=utf-8", RunFiles.FINAL_SOLUTION,
                    "text/plain; charset=utf-8", RunFiles.RESULT, "application/json",
                    RunFiles.FAILED, "application/json", Records.HEADER, "application/json");

    private final Records records;
    private final LiveRunCache cache;
    private final ScriptOutputs outputs;
    private final StaticFiles files = new StaticFiles();

    RunPages(Records records, LiveRunCache cache, ScriptOutputs outputs) {
        this.records = records;
        this.outputs = outputs;
        this.cache = cache;
    }

    static void escape(@Observes EngineBuilder templates) {
        templates.addResultMapper(new ShownText());
    }

    void install(@Observes Router router) {
        get(router, "/", this::runsPage);
        router.get("/web/:file").order(BEFORE_FUNQY).handler(files::serve);
        get(router, "/compare", this::compare);
        get(router, "/workflow", context -> PageTemplates.send(context,
                new PageTemplates.workflow(files.version())));
        get(router, "/runs", this::runs);
        get(router, "/runs/:run", this::run);
        get(router, "/runs/:run/live", this::live);
        get(router, "/runs/:run/tree/*", this::tree);
        get(router, "/runs/:run/output", this::output);
        get(router, "/runs/:run/output/*", this::output);
        get(router, "/runs/:run/steps",
                context -> json(context, StepRow.all(records, shown(context).run().runId())));
        get(router, "/runs/:run/steps/*", this::step);
        get(router, "/runs/:run/report", this::report);
        get(router, "/runs/:run/files/:file", this::file);
    }

    private static void get(Router router, String path, Handler<RoutingContext> handler) {
        router.get(path).order(BEFORE_FUNQY).blockingHandler(handler, false);
    }

    @Override
    public void show(RoutingContext context, int status, String message) {
        context.response().setStatusCode(status);
        PageTemplates.send(context, new PageTemplates.wrong(status, message, files.version()));
    }

    private void runs(RoutingContext context) {
        switch (ContentNegotiation.form(context)) {
            case HTML -> runsPage(context);
            case JSON -> json(context, RunState.all(records, Instant.now()));
        }
    }

    private void runsPage(RoutingContext context) {
        String text = context.request().getParam("text", "").strip();
        RunList list =
                RunList.of(cache, text, ContentNegotiation.number(context, "limit", RunList.SHORT));
        if (!EntityTag.spares(context, list.version())) {
            PageTemplates.send(context,
                    new PageTemplates.runs(list, Instant.now(), files.version()));
        }
    }

    /// Programs get the same figures as JSON.
    private void compare(RoutingContext context) {
        List<RunHeader> runs =
                Comparison.checked(context.queryParam("run"))
                        .stream()
                        .map(run -> cache.of(run).run())
                        .toList();
        Comparison comparison = Comparison.of(records, runs, Instant.now());
        if (ContentNegotiation.form(context) == ContentNegotiation.MediaType.JSON) {
            json(context, comparison);
            return;
        }
        PageTemplates.send(context,
                new PageTemplates.compare(comparison, Instant.now(), files.version()));
    }

    private void run(RoutingContext context) {
        LiveRun live = shown(context);
        if (ContentNegotiation.form(context) == ContentNegotiation.MediaType.JSON) {
            json(context, RunState.of(records, live.run(), Instant.now()));
            return;
        }
        SolutionAncestry tried = cache.solutions(live).look();
        PageTemplates.send(context,
                new PageTemplates.run(live, live.figures(), headline(live, tried), chart(tried),
                        outputs.of(live), StepList.branches(live), filesOf(live), notesOf(live),
                        Instant.now(), files.version()));
    }

    private LiveRun shown(RoutingContext context) {
        return cache.of(context.pathParam("run"));
    }

    /// Names of the files that the page links to.
    private static List<String> filesOf(LiveRun live) {
        return live.hasEnded()
                ? Stream.concat(Stream.of("report"), live.files().stream()).toList()
                : List.of();
    }

    private List<Fact> headline(LiveRun live, SolutionAncestry tried) {
        return Headline.of(records, live.run(), live.figures(), tried).facts();
    }

    private static SolutionChart chart(SolutionAncestry tried) {
        return SolutionChart.of(tried, StepRow::url);
    }

    private List<Note> notesOf(LiveRun live) {
        return new Notes(records.store()).heardBy(live.run());
    }

    /// Sends the parts of a run's page that may have changed: all above the tree, and the steps
    /// right below the phases that the page shows open.
    private void live(RoutingContext context) {
        LiveRun live = shown(context);
        if (EntityTag.spares(context, live.version())) {
            return;
        }
        List<StepRow> steps = context.queryParam("phase")
                .stream()
                .limit(MOST_PHASES)
                .map(phase -> new StepPath(live.run().runId(), phase))
                .flatMap(phase -> StepList.of(live, phase, Integer.MAX_VALUE).shown().stream())
                .toList();
        SolutionAncestry tried = cache.solutions(live).look();
        PageTemplates.send(context,
                new PageTemplates.live(live, live.figures(), headline(live, tried), chart(tried),
                        outputs.of(live), filesOf(live), notesOf(live), steps, Instant.now()));
    }

    private void tree(RoutingContext context) {
        LiveRun live = shown(context);
        StepList list =
                StepList.of(live, step(context, live),
                        ContentNegotiation.number(context, "before", Integer.MAX_VALUE));
        PageTemplates.send(context, new PageTemplates.steps(list, Instant.now()));
    }

    private void output(RoutingContext context) {
        LiveRun live = shown(context);
        PageTemplates.send(context, new PageTemplates.output(
                context.pathParam("*") == null
                        ? outputs.of(live)
                        : outputs.of(live.row(step(context, live)))));
    }

    private static StepPath step(RoutingContext context, LiveRun live) {
        return new StepPath(live.run().runId(), context.pathParam("*"));
    }

    private void step(RoutingContext context) {
        LiveRun live = shown(context);
        StepPath path = step(context, live);
        StepDetail detail =
                StepDetail.of(records, path)
                        .orElseThrow(() -> new HttpError(404, "there is no step " + path));
        if (ContentNegotiation.form(context) == ContentNegotiation.MediaType.JSON) {
            json(context, detail);
            return;
        }
        if (EntityTag.spares(context, live.version())) {
            return;
        }
        List<StepRow> above = new ArrayList<>();
        for (StepPath at = path; !at.inside().isEmpty(); at = at.parent().orElseThrow()) {
            live.row(at).ifPresent(above::addFirst);
        }
        List<StepRow> beside = live.below(path.parent().orElseThrow());
        int position = beside.indexOf(detail.row());
        PageTemplates.send(context, new PageTemplates.step(live.figures(), detail, above,
                position > 0 ? Optional.of(beside.get(position - 1)) : Optional.empty(),
                position + 1 < beside.size()
                        ? Optional.of(beside.get(position + 1))
                        : Optional.empty(),
                detail.row().isPhase()
                        ? Optional.of(StepList.of(live, detail.row().place(),
                                ContentNegotiation.number(context, "before", Integer.MAX_VALUE)))
                        : Optional.empty(),
                outputs.of(Optional.of(detail.row())), Instant.now(), files.version()));
    }

    private void report(RoutingContext context) {
        LiveRun live = shown(context);
        byte[] report = Report.graded(records, live.run())
                .orElseThrow(
                        () -> new HttpError(404, "run " + live.run().runId()
                                + " has no report yet: it has not ended"));
        context.response()
                .putHeader("Content-Type", "text/html; charset=utf-8")
                .putHeader("Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'")
                .end(Buffer.buffer(report));
    }

    private void file(RoutingContext context) {
        String run = shown(context).run().runId();
        String name = context.pathParam("file");
        byte[] content =
                Optional.ofNullable(FILES.get(name))
                        .flatMap(type -> records.store().read(Records.key(run, name)))
                        .orElseThrow(() -> new HttpError(404, "run " + run + " has no such file"));
        context.response()
                .putHeader("Content-Type", FILES.get(name))
                .putHeader("Content-Security-Policy", "default-src 'none'; sandbox")
                .end(Buffer.buffer(content));
    }

    private static void json(RoutingContext context, Object value) {
        context.response()
                .putHeader("Content-Type", "application/json")
                .putHeader("Vary", "Accept")
                .end(Controls.shown(Json.text(value)));
    }
}

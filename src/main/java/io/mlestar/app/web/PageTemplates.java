package io.mlestar.app.web;

import io.mlestar.app.web.NewRunPage.Estimate;
import io.mlestar.app.web.NewRunPage.Wish;
import io.mlestar.app.web.ScriptOutputs.ScriptOutput;
import io.mlestar.core.step.Note;
import io.mlestar.core.task.Preset;
import io.mlestar.show.render.Formats;
import io.mlestar.show.report.ReportModel.Fact;
import io.mlestar.show.report.SolutionChart;
import io.mlestar.show.view.Comparison;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.StepDetail;
import io.mlestar.show.view.StepList;
import io.mlestar.show.view.StepRow;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateExtension;
import io.quarkus.qute.TemplateInstance;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The pages, each a template with what it shows. Everything is escaped but what is drawn here. No
/// page holds a script or a style of its own, and the policy makes browsers refuse any.
final class PageTemplates {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private PageTemplates() {}

    @CheckedTemplate(basePath = "")
    record runs(RunList list, Instant now, String assets) implements TemplateInstance {}

    /// Several runs side by side.
    @CheckedTemplate(basePath = "")
    record compare(Comparison comparison, Instant now, String assets) implements TemplateInstance {}

    /// One run, from `figures` to `branches`.
    ///
    /// @param headline its scores
    /// @param files names of the files that there are
    @CheckedTemplate(basePath = "")
    record run(
            LiveRun live,
            RunFigures figures,
            List<Fact> headline,
            SolutionChart solutions,
            List<ScriptOutput> outputs,
            List<StepList.Branch> branches,
            List<String> files,
            List<Note> notes,
            Instant now,
            String assets) implements TemplateInstance {}

    /// The parts of a run's page that change while it runs, and lines of the tree.
    @CheckedTemplate(basePath = "")
    record live(
            LiveRun live,
            RunFigures figures,
            List<Fact> headline,
            SolutionChart solutions,
            List<ScriptOutput> outputs,
            List<String> files,
            List<Note> notes,
            List<StepRow> steps,
            Instant now) implements TemplateInstance {}

    /// The output of scripts so far.
    @CheckedTemplate(basePath = "")
    record output(List<ScriptOutput> outputs) implements TemplateInstance {}

    /// Lines of the tree.
    @CheckedTemplate(basePath = "")
    record steps(StepList list, Instant now) implements TemplateInstance {}

    /// @param list the steps below it; empty unless it is a phase
    @CheckedTemplate(basePath = "")
    record step(
            RunFigures run,
            StepDetail step,
            List<StepRow> above,
            Optional<StepRow> previous,
            Optional<StepRow> next,
            Optional<StepList> list,
            List<ScriptOutput> outputs,
            Instant now,
            String assets) implements TemplateInstance {}

    /// The form that starts a run.
    ///
    /// @param tasks files in the folder of tasks
    /// @param wrong why the run cannot be started; empty if nothing is wrong
    @CheckedTemplate(basePath = "")
    record start(
            List<String> tasks,
            List<Preset> presets,
            Wish wish,
            Optional<Estimate> estimate,
            String wrong,
            String assets) implements TemplateInstance {}

    /// The diagram of which function asks which.
    @CheckedTemplate(basePath = "")
    record workflow(String assets) implements TemplateInstance {}

    /// There is no such page, or it cannot be shown.
    @CheckedTemplate(basePath = "")
    record wrong(int status, String message, String assets) implements TemplateInstance {}

    /// A moment as people read it: `{note.at.words}`.
    @TemplateExtension
    static String words(Instant at) {
        return Formats.time(at);
    }

    static void send(RoutingContext context, TemplateInstance page) {
        context.response()
                .putHeader("Content-Type", "text/html; charset=utf-8")
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("Referrer-Policy", "same-origin")
                .putHeader("Vary", "Accept")
                .end(page.render());
    }
}

package io.mlestar.show.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.RunContexts;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.result.Published;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.steering.Pause;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.task.ContaminationVerdict;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.show.grade.Grade;
import io.mlestar.show.grade.Metric;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.PythonCode;
import io.mlestar.show.report.ReportModel.Compared;
import io.mlestar.show.report.ReportModel.Fact;
import io.mlestar.show.view.CandidateSolution;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.MisplacedAnswers;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.SolutionAncestry;
import io.mlestar.show.view.SolutionHistory;
import io.quarkus.qute.RawString;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Makes the report of a run: goes through its steps once, keeps numbers and short texts, and reads again only what it shows in full.
final class ReportBuilder {
    private static final int SCRIPT = 200_000;
    private static final int TEXT = 400;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Records records;
    private final RunHeader run;
    private final Instant now;
    private final MetricDirection direction;
    private final Spending.SpendingCollector spending;
    private final RunFailures.FailureCollector failures;
    private final Changes.ChangeCollector changes = new Changes.ChangeCollector();
    private final List<CandidateSolution> tried = new ArrayList<>();

    private ReportBuilder(Records records, RunHeader run, Instant now) {
        this.records = records;
        this.run = run;
        this.now = now;
        this.direction = run.task().metricDirection();
        this.spending = new Spending.SpendingCollector(run.runId());
        this.failures = new RunFailures.FailureCollector(run.config());
    }

    static ReportModel build(Records records, RunHeader run, Instant now) {
        return new ReportBuilder(records, run, now).build();
    }

    private ReportModel build() {
        NoteDelivery hearers = new NoteDelivery(new Notes(records.store()).heardBy(run));
        LiveRun live = LiveRun.read(records, run, step -> {
            spending.add(step, failures.add(step));
            changes.add(step);
            CandidateSolution.of(step).ifPresent(tried::add);
            hearers.add(step);
        });
        SolutionAncestry ancestry = new SolutionAncestry(tried, direction);
        ImprovementRows rows = new ImprovementRows(records, ancestry);
        Spending spent = spending.spending();
        RunFailures failed = failures.failures();
        Changes changed = changes.changes();
        RunFigures figures = live.figures();
        Optional<FinalResult> result = Published.result(records, run.runId());
        Optional<Grade> grade = RunGrade.of(records, run.runId());
        Optional<CandidateSolution> baseline = ancestry.baseline();
        String script = result.map(ended -> Formats.clip(ended.finalSolution().content(), SCRIPT)).orElse("");
        return new ReportModel(run.runId(), line(run.task().competitionId()), line(run.task().evaluationMetric()), direction.better() + " is better",
                said(figures), PipelineConfig.isRecorded(run.config().model()), figures(figures, grade, baseline, spent),
                notes(live, result, grade, baseline), compared(result, grade, baseline, rows),
                new RawString(live.curve(now, false)), SolutionChart.of(new SolutionHistory(records, run).look(), rows::anchor),
                rows.rows(), rows.rest(), rows.blocks(), rows.moreBlocks(), changed.list(), changed.more(), rows.rounds(),
                result.map(ended -> ended.lineage().stream().limit(500).map(text -> Formats.line(text, TEXT)).toList()).orElse(List.of()), table(spent),
                failed.list(), failed.more(), environment(live, figures, spent), settings(), hearers.notes(),
                RunContexts.facts(records, run.runId()).map(found -> String.join("\n", found.data().lines())).orElse(""),
                new RawString(PythonCode.html(script)), "data:text/x-python;charset=utf-8;base64,"
                        + Base64.getEncoder().encodeToString(script.getBytes(StandardCharsets.UTF_8)));
    }

    private static String line(String text) {
        return Formats.line(text, 120);
    }

    private String said(RunFigures figures) {
        String took = figures.elapsedWords(now);
        return switch (figures.state()) {
            case COMPLETED -> "Completed in " + took + ".";
            case FAILED -> "Failed after " + took + ": " + Formats.line(figures.error(), TEXT);
            case RUNNING, HALTED, PAUSED, DAMAGED, NEWER -> "Under way since " + took + ".";
        };
    }

    private List<Fact> figures(RunFigures figures, Optional<Grade> grade, Optional<CandidateSolution> baseline, Spending spent) {
        Double best = figures.bestScoreSoFar();
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Validation score", Formats.score(best), line(run.task().evaluationMetric())));
        if (best != null) {
            baseline.map(CandidateSolution::score).ifPresent(
                    known -> facts.add(new Fact("Against the baseline", Formats.gain(best - known), "best single model " + Formats.score(known))));
        }
        grade.ifPresent(known -> facts.add(new Fact("Hidden score", Formats.score(known.score()),
                (known.medal() == null ? "" : known.medal() + " medal, ") + known.rows() + " hidden labels")));
        Spending.Line total = spent.total();
        facts.add(new Fact("Cost", Formats.dollars(total.cost()), total.count() + " calls of agents"));
        long scripts = spent.scripts().stream().mapToInt(Spending.Line::count).sum();
        facts.add(new Fact("Time", figures.elapsedWords(now), scripts + " script runs"));
        return facts;
    }

    /// Scores on the validation split that each script makes for itself, and the hidden one beside them.
    private List<Compared> compared(Optional<FinalResult> result, Optional<Grade> grade, Optional<CandidateSolution> single, ImprovementRows improved) {
        Optional<Double> baseline = single.map(CandidateSolution::score);
        List<Compared> rows = new ArrayList<>();
        Metric.find(run.task().evaluationMetric()).flatMap(Metric::chance)
                .ifPresent(chance -> rows.add(compared("Guessing", chance, baseline, "by definition of " + line(run.task().evaluationMetric()))));
        baseline.ifPresent(known -> rows.add(compared("Baseline: best single model", known, Optional.empty(), single.map(CandidateSolution::plan).orElse(""))));
        Double initial = improved.ancestry().initialScore(true);
        if (initial != null) {
            rows.add(compared("After Phase 1, s_0", initial, baseline, "merged, and checked for leakage and unused data; baseline_score of the result"));
        }
        Double refined = improved.refined();
        if (refined != null) {
            rows.add(compared("Best refined path", refined, baseline, "before the ensemble"));
        }
        result.map(FinalResult::bestScore)
                .ifPresent(best -> rows.add(compared("Final solution", best, baseline, "validation, before training on all data")));
        grade.ifPresent(known -> rows.add(compared("Final submission, hidden labels", known.score(), Optional.empty(), "other data: " + known.rows()
                + " hidden labels" + result.map(FinalResult::bestScore)
                        .map(best -> "; " + Formats.gain(known.score() - best) + " against validation").orElse(""))));
        return rows;
    }

    private static Compared compared(String what, double score, Optional<Double> baseline, String note) {
        return new Compared(what, Formats.score(score), baseline.map(known -> Formats.gain(score - known)).orElse(""), note);
    }

    private List<String> notes(LiveRun live, Optional<FinalResult> result, Optional<Grade> grade, Optional<CandidateSolution> baseline) {
        List<String> notes = new ArrayList<>();
        Optional.ofNullable(run.origin()).ifPresent(origin -> notes.add("The run began with finished steps of run " + origin.run()
                + ": they were paid for there, and stand at the beginning of the time axis."));
        live.limits(now).extensions()
                .forEach(given -> notes.add(line(given.by()) + " gave the run " + given.words() + " more, " + TIME.format(given.at()) + "."));
        live.limits(now).pauses().forEach(pause -> notes.add(paused(pause)));
        result.map(FinalResult::stopReason).ifPresent(reason -> notes.add("The run was cut short: " + Formats.line(reason, TEXT)));
        result.filter(ended -> ended.submissionFailure() != null).ifPresent(ended -> notes.add(
                (ended.submissionPath().isEmpty() ? "The run made no submission: " : "The submission is not valid: ")
                        + Formats.line(ended.submissionFailure(), TEXT) + "."));
        result.map(FinalResult::submissionSource).filter(source -> !source.equals(FinalResult.FINALIZATION))
                .ifPresent(source -> notes.add("The submission was written by " + line(source) + " by itself, since finalization gave none."));
        MisplacedAnswers.of(records, run.runId()).said().ifPresent(said -> notes.add("Recorded answers: " + said + "."));
        result.map(FinalResult::betterScript).ifPresent(better -> notes.add("A single script scored better than the final one: that of "
                + line(better.step()) + ", " + Formats.score(better.score()) + "; final_solution=best would have taken it."));
        result.filter(ended -> ended.contamination() == ContaminationVerdict.SAME)
                .ifPresent(ended -> notes.add("The final script is the same as one of the reference discussions."));
        Double best = result.map(FinalResult::bestScore).orElse(null);
        Double single = baseline.map(CandidateSolution::score).orElse(null);
        if (grade.isPresent() && best != null && single != null) {
            double gap = direction.gain(best, grade.get().score());
            double gained = direction.gain(best, single);
            if (gap > 0 && gap >= gained) {
                notes.add("The hidden score is " + Formats.score(gap) + " worse than the validation score, more than all that was gained over the"
                        + " baseline: validation was overfitted, or something leaks into it.");
            }
        }
        return notes;
    }

    private static String paused(Pause pause) {
        String begun = line(pause.by()) + " paused the run, " + TIME.format(pause.at());
        return pause.until() == null ? begun + "." : begun + "; " + line(String.valueOf(pause.liftedBy())) + " let it go on after "
                + Formats.duration(pause.length().toMillis() / 1e3) + ", which its time limit gives back.";
    }

    private static ReportModel.Spent table(Spending spent) {
        List<ReportModel.ReportLine> agents = new ArrayList<>(lines(spent.agents()));
        agents.addAll(lines(List.of(spent.total())));
        return new ReportModel.Spent(agents, lines(spent.scripts()), lines(spent.phases()));
    }

    private static List<ReportModel.ReportLine> lines(List<Spending.Line> lines) {
        return lines.stream()
                .map(one -> new ReportModel.ReportLine(one.name(), one.count(), one.failed(), tokens(one.inputTokens()), tokens(one.cachedTokens()),
                        tokens(one.outputTokens()), Formats.dollars(one.cost()), Formats.duration(one.seconds())))
                .toList();
    }

    private static String tokens(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private List<Fact> environment(LiveRun live, RunFigures figures, Spending spent) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Model", line(run.config().model()),
                spent.models().isEmpty() ? "" : "answered: " + Formats.line(String.join(", ", spent.models()), TEXT)));
        run.config().agents().forEach((agent, settings) -> facts.add(new Fact("Model of " + agent, line(String.valueOf(settings.model())), "")));
        facts.add(new Fact("Machine", line(live.machine()), ""));
        RunContexts.facts(records, run.runId()).map(found -> libraries(found.machine())).ifPresent(facts::addAll);
        facts.add(new Fact("Program", "mlestar " + line(String.join(", then ", RunState.programs(records, run))),
                "prompts " + Formats.line(run.promptsDigest(), 16)));
        facts.add(new Fact("Started", TIME.format(run.startedAt()), "time limit until " + TIME.format(live.limits(now).deadline())));
        Optional.ofNullable(figures.endedAt()).ifPresent(at -> facts.add(new Fact("Ended", TIME.format(at), "")));
        facts.add(new Fact("Data", Formats.line(run.task().dataDir(), TEXT), ""));
        return facts;
    }

    private static List<Fact> libraries(MachineFacts machine) {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("GPU", machine.gpus().stream().map(MachineFacts.Gpu::inWords).collect(Collectors.joining("; ")));
        rows.put("Libraries", machine.libraries().entrySet().stream().map(one -> one.getKey() + " " + one.getValue()).collect(Collectors.joining(", ")));
        rows.put("Not installed", String.join(", ", machine.missing()));
        rows.put("Weights", String.join(", ", machine.weights()));
        return rows.entrySet().stream().filter(row -> !row.getValue().isEmpty()).map(row -> new Fact(row.getKey(), line(row.getValue()), "")).toList();
    }

    /// The configuration as resolved, but for what is not set.
    private List<Fact> settings() {
        return Json.tree(run.config()).properties().stream()
                .filter(field -> !field.getValue().isNull() && !(field.getValue().isContainerNode() && field.getValue().isEmpty()))
                .map(field -> new Fact(field.getKey(), Formats.line(text(field.getValue()), TEXT), "")).toList();
    }

    private static String text(JsonNode value) {
        return value.isValueNode() ? value.asText() : value.toString();
    }
}

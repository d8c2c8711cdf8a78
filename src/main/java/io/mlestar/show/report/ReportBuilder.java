package io.mlestar.show.report;

import io.mlestar.adapter.grade.Grade;
import io.mlestar.adapter.grade.Metric;
import io.mlestar.core.agent.Data;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.engine.RunContexts;
import io.mlestar.core.phase.Lineage;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Note;
import io.mlestar.core.task.ContaminationVerdict;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.Results.BetterScript;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Score;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.PythonCode;
import io.mlestar.show.report.ReportModel.ComparedScore;
import io.mlestar.show.report.ReportModel.Fact;
import io.mlestar.show.view.CandidateSolution;
import io.mlestar.show.view.CandidateSolution.Part;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.MisplacedAnswers;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.SolutionAncestry;
import io.mlestar.show.view.SolutionHistory;
import io.mlestar.show.view.StepView;
import io.quarkus.qute.RawString;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Makes the report of a run: goes through its steps once, keeps numbers and short texts, and reads
/// again only what it shows in full.
final class ReportBuilder {
    private static final int SCRIPT = 200_000;
    private static final int TEXT = 400;

    private final Records records;
    private final RunHeader run;
    private final Instant now;
    private final MetricDirection direction;
    private final Spending spending;
    private final RunFailures failures;
    /// Paths of the checks that were answered.
    private final Set<String> checks = new HashSet<>();
    private final LiveRun live;
    private final RunFigures figures;
    private final Optional<FinalResult> result;
    private final Optional<Grade> grade;
    /// True if the harness computed the scores.
    private final boolean isHidden;
    private final SolutionAncestry ancestry;
    private final Optional<CandidateSolution> bestModel;
    private final ImprovementRows rows;

    private ReportBuilder(Records records, RunHeader run, Instant now) {
        this.records = records;
        this.run = run;
        this.now = now;
        this.direction = run.task().metricDirection();
        this.spending = new Spending(run.runId());
        this.failures = new RunFailures(run.config().limits());
        List<CandidateSolution> tried = new ArrayList<>();
        List<Decision> decisions = new ArrayList<>();
        this.live = LiveRun.read(records, run, step -> {
            spending.add(step, failures.add(step));
            CandidateSolution.of(step).ifPresent(tried::add);
            decisions.addAll(step.report().decided());
            if (step.found() instanceof StepView.Replied replied
                    && (replied.agent() instanceof Data || replied.agent() instanceof Leakage)
                    && replied.unreadable().isEmpty()) {
                checks.add(step.path().inside());
            }
        });
        this.figures = live.figures();
        this.result = RunFiles.result(records, run.runId());
        this.grade = RunGrade.of(records, run.runId());
        this.isHidden = RunContexts.facts(records, run.runId())
                .filter(facts -> facts.holdout() != null)
                .isPresent();
        this.ancestry =
                new SolutionAncestry(CandidateSolution.decided(tried, decisions), direction);
        this.bestModel = ancestry.bestModel();
        this.rows = new ImprovementRows(records, ancestry);
    }

    static ReportModel build(Records records, RunHeader run, Instant now) {
        return new ReportBuilder(records, run, now).build();
    }

    private ReportModel build() {
        String script = result.map(ended -> Excerpt.clip(ended.finalSolution().content(), SCRIPT))
                .orElse("");
        List<String> lineage = result.map(FinalResult::lineage)
                .orElse(List.of())
                .stream()
                .limit(500)
                .map(text -> Formats.line(text, TEXT))
                .toList();
        String dataCard = RunContexts.facts(records, run.runId())
                .map(found -> String.join("\n", found.data().lines()))
                .orElse("");
        List<Note> told = new Notes(records.store()).heardBy(run).stream().distinct().toList();
        RunEnvironment environment = new RunEnvironment(records, live, spending.models());
        String saved = "data:text/x-python;charset=utf-8;base64,"
                + Base64.getEncoder().encodeToString(script.getBytes(StandardCharsets.UTF_8));
        return new ReportModel(run.runId(), line(run.task().competitionId()),
                line(run.task().evaluationMetric()), direction.better() + " is better", said(),
                ModelSettings.isRecorded(run.config().models().model()), isHidden, headline(),
                remarks(), compared(), new RawString(live.curve(now, false)),
                SolutionChart.of(new SolutionHistory(records, run).look(), rows::anchor),
                rows.rows(), rows.rest(), rows.blocks(), rows.moreBlocks(), rows.rounds(), lineage,
                spending, failures, environment.facts(), environment.settings(), told, dataCard,
                new RawString(PythonCode.html(script)), saved);
    }

    private static String line(String text) {
        return Formats.line(text, 120);
    }

    private String said() {
        String took = figures.elapsedWords(now);
        return switch (figures.state()) {
            case COMPLETED -> "Completed in " + took + ".";
            case FAILED -> "Failed after " + took + ": " + Formats.line(figures.error(), TEXT);
            case STOPPED -> "Stopped: its process is gone. Begun " + took + " ago.";
            case RUNNING, HALTED, DAMAGED, NEWER -> "Under way since " + took + ".";
        };
    }

    private List<Fact> headline() {
        List<Fact> facts = new ArrayList<>(
                new Headline(run, figures, ancestry, result, grade, isHidden).facts());
        facts.add(new Fact("Cost", Formats.dollars(spending.calls().costUsd()),
                spending.calls().count() + " calls of agents"));
        facts.add(new Fact("Time", figures.elapsedWords(now),
                spending.scriptRuns() + " script runs"));
        return facts;
    }

    private Score bestModelScore() {
        return bestModel.map(CandidateSolution::score).orElse(Score.NONE);
    }

    /// Scores on the validation split that each script makes for itself, and the hidden one beside
    /// them.
    private List<ComparedScore> compared() {
        List<ComparedScore> all = new ArrayList<>();
        String metric = line(run.task().evaluationMetric());
        Metric.find(run.task().evaluationMetric())
                .flatMap(Metric::chance)
                .ifPresent(
                        chance -> all.add(compared("Guessing", Score.printed(chance),
                                "by definition of " + metric)));
        bestModel.filter(model -> model.score().isKnown())
                .ifPresent(model -> all.add(new ComparedScore("Best single model",
                        Formats.score(model.score()), "", model.plan())));
        ancestry.initial()
                .filter(s0 -> s0.score().isKnown())
                .ifPresent(s0 -> all.add(compared("After Phase 1, s_0", s0.score(), made(s0))));
        result.map(ended -> ended.phase2Results().get(ended.bestPath()))
                .filter(path -> !path.failed())
                .ifPresent(path -> all.add(compared("Best refined path",
                        path.bestSolution().score(), "before the ensemble")));
        Optional<Score> best = result.map(ended -> ended.chosen().score()).filter(Score::isKnown);
        best.ifPresent(score -> all
                .add(compared("Final solution", score, "validation, before training on all data")));
        best.map(Score::validation)
                .ifPresent(
                        by -> all.add(new ComparedScore("Final solution, rows kept for the choice",
                                Formats.score(by.select(), by.selectError()), "",
                                "hidden from the search; they decided among the best")));
        grade.ifPresent(known -> all.add(graded(known, best)));
        return all;
    }

    private ComparedScore graded(Grade known, Optional<Score> validation) {
        String gap = validation.map(score -> direction.gain(known.score(), score.known()))
                .map(gain -> "; " + Formats.gain(gain) + " against validation")
                .orElse("");
        return new ComparedScore("Final submission, hidden labels", Formats.score(known.score()),
                "",
                "other data: " + known.rows() + " hidden labels" + gap);
    }

    private ComparedScore compared(String what, Score score, String note) {
        return new ComparedScore(what, Formats.score(score),
                Formats.gain(score.over(bestModelScore(), direction)), note);
    }

    /// Lists what Phase 1 did to its solution: checks may have been left out.
    private String made(CandidateSolution s0) {
        List<String> did = new ArrayList<>();
        if (ancestry.of(Part.MERGE).stream().anyMatch(ancestry::isKept)) {
            did.add("merged");
        }
        if (checks.stream()
                .anyMatch(check -> check.equals("phase1/leakage")
                        || check.startsWith(s0.id() + "/"))) {
            did.add("checked for leakage");
        }
        if (checks.contains("phase1/data")) {
            did.add("checked for unused data");
        }
        did.add("the baseline, baseline_score of the result");
        return String.join("; ", did);
    }

    private List<String> remarks() {
        List<String> all = new ArrayList<>();
        Optional.ofNullable(run.origin())
                .ifPresent(origin -> all.add("The run began with finished steps of run "
                        + origin.run()
                        + ": they were paid for there, and stand at the beginning of the time axis."));
        live.limits()
                .extensions()
                .forEach(given -> all
                        .add(line(given.by()) + " gave the run " + given.words() + " more, "
                                + Formats.time(given.at()) + "."));
        String scoredBy = live.scoredBy();
        if (!scoredBy.isEmpty()) {
            all.add("S" + scoredBy.substring(1) + ".");
        }
        result.ifPresent(ended -> remarks(ended, all));
        MisplacedAnswers.of(records, run.runId())
                .said()
                .ifPresent(said -> all.add("Recorded answers: " + said + "."));
        Optional<Double> best = result.map(FinalResult::bestScore);
        if (grade.isPresent() && best.isPresent() && bestModelScore().isKnown()) {
            double gap = direction.gain(best.get(), grade.get().score());
            if (gap > 0 && gap >= direction.gain(best.get(), bestModelScore().known())) {
                all.add("The hidden score is " + Formats.score(gap)
                        + " worse than the validation score, more than all that was gained over the"
                        + " best single model: validation was overfitted, or something leaks into it.");
            }
        }
        return all;
    }

    private static void remarks(FinalResult ended, List<String> all) {
        if (ended.stopReason() != null) {
            all.add("The run was cut short: " + Formats.line(ended.stopReason(), TEXT));
        }
        if (ended.submissionFailure() != null) {
            all.add((ended.submissionPath().isEmpty()
                    ? "The run made no submission: "
                    : "The submission is not valid: ")
                    + Formats.line(ended.submissionFailure(), TEXT) + ".");
        }
        String source = ended.submissionSource();
        if (source != null && !source.equals(FinalResult.FINALIZATION)) {
            all.add("The submission was written by " + line(source)
                    + " when it was scored; finalization: "
                    + Formats.line(
                            Objects.requireNonNullElse(ended.submissionReplaced(), "it gave none"),
                            TEXT)
                    + ".");
        }
        BetterScript better = ended.betterScript();
        if (better != null) {
            all.add("A single script scored better than the final one: that of "
                    + line(better.step()) + ", "
                    + Formats.score(better.score())
                    + "; final_solution=best, the default, would have taken it.");
        }
        Lineage.notChosen(ended)
                .forEach(script -> all
                        .add("A script was not chosen: " + Formats.line(script, TEXT) + "."));
        if (ended.contamination() == ContaminationVerdict.SAME) {
            all.add("The final script is the same as one of the reference discussions.");
        }
    }
}

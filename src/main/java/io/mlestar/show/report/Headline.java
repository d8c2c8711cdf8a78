package io.mlestar.show.report;

import io.mlestar.adapter.grade.Grade;
import io.mlestar.core.engine.RunContexts;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Score;
import io.mlestar.show.render.Formats;
import io.mlestar.show.report.ReportModel.Fact;
import io.mlestar.show.view.CandidateSolution;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.SolutionAncestry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The scores that come first in the report and on the page of a run: the final or the best one,
/// the gain over the baseline, and the hidden score.
///
/// @param result empty unless the run ended well
/// @param grade empty unless the submission was graded
/// @param isHidden whether the harness computes the scores
public record Headline(
        RunHeader run,
        RunFigures figures,
        SolutionAncestry ancestry,
        Optional<FinalResult> result,
        Optional<Grade> grade,
        boolean isHidden) {
    private static final int LONGEST = 120;

    /// Reads the headline from the store.
    public static Headline of(
            Records records,
            RunHeader run,
            RunFigures figures,
            SolutionAncestry ancestry) {
        boolean ended = !figures.isRunning();
        return new Headline(run, figures, ancestry,
                ended ? RunFiles.result(records, run.runId()) : Optional.empty(),
                ended ? RunGrade.of(records, run.runId()) : Optional.empty(),
                RunContexts.facts(records, run.runId())
                        .filter(facts -> facts.holdout() != null)
                        .isPresent());
    }

    public List<Fact> facts() {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact(figures.scoreTitle(), figures.scoreWords(),
                Formats.line(run.task().evaluationMetric(), LONGEST)
                        + (isHidden ? ", hidden rows" : ", validation")));
        ancestry.initial().ifPresent(initial -> overBaseline(initial).ifPresent(facts::add));
        grade.ifPresent(known -> facts.add(new Fact("Hidden score", Formats.score(known.score()),
                known.rows() + " hidden labels")));
        return facts;
    }

    private Optional<Fact> overBaseline(CandidateSolution initial) {
        Score best = result.map(ended -> ended.chosen().score())
                .orElse(Score.printed(figures.bestScoreSoFar()));
        Score baseline = initial.score();
        if (!best.isKnown() || !baseline.isKnown()) {
            return Optional.empty();
        }
        return Optional.of(new Fact("Gain",
                Formats.gain(best.over(baseline, run.task().metricDirection())),
                "over the baseline " + Formats.score(baseline.value()) + ", the initial solution"));
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.StrongSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Attempts on whole scripts, a blend, and a choice by hidden rows. Without hidden rows scripts
/// print their scores, nothing is blended, and the best score is chosen.
///
/// @param holdout the hidden rows; null if none could be hidden
record StrongStrategy(
        StrongSearch strong,
        Acceptance acceptance,
        @Nullable Holdout holdout) implements Strategy {
    /// Single scripts that the final choice looks at.
    private static final int MOST_SINGLES = 4;

    @Override
    public FirstPhase first() {
        return new FirstSolutions();
    }

    @Override
    public PartResult<List<Phase2Result>> refine(Phase1Result first, Steps steps) {
        ScriptSearch search = ScriptSearch.of(first, strong.numParallelSolutions());
        return steps.outcome(search)
                .done()
                .map(searched -> new PartResult<>(searched.paths(), searched.isWhole()))
                .orElseGet(() -> new PartResult<>(
                        search.starts().stream().map(Refinement::failed).toList(), false));
    }

    @Override
    public Optional<PartResult<Phase3Result>> combine(
            Phase1Result first,
            List<Phase2Result> paths,
            Steps steps) {
        List<SolutionScript> bests = Strategy.bests(paths);
        List<SolutionScript> scored = GreedyEnsemble.library(first, paths, acceptance.direction());
        List<SolutionScript> library = acceptance.preferring(OwnWords::isJudged, scored);
        if (bests.size() == 1 && library.isEmpty()) {
            return Optional.empty();
        }
        return steps.outcome(new BlendedEnsemble(bests, library))
                .done()
                .map(ensemble -> new PartResult<>(ensemble, !ensemble.attempts().isEmpty()));
    }

    /// Without hidden rows the best score is chosen.
    @Override
    public Choice choose(
            Phase1Result first,
            List<Phase2Result> paths,
            Optional<Phase3Result> ensemble) {
        SolutionScript bestByScore = Strategy.best(first, paths, ensemble, acceptance);
        return holdout == null
                ? new Choice(bestByScore, List.of())
                : choose(first, paths, ensemble, holdout, bestByScore);
    }

    /// Chooses among s_0, the best by the search and all ensembles by all hidden rows together:
    /// those that had no part in the search say most against luck, and of scripts that all led
    /// there, what the search knows still counts. The higher score wins, however small the lead; of
    /// equals the simpler one. A script with a judgement goes first unless it is surely worse: no
    /// score knows what the judgement is for. So do ensembles: the best of many single scripts
    /// leads by luck, which ensembles even out.
    private Choice choose(
            Phase1Result first,
            List<Phase2Result> paths,
            Optional<Phase3Result> ensemble,
            Holdout hidden,
            SolutionScript bestByScore) {
        List<SolutionScript> ensembles =
                ensemble.map(tried -> EnsembleAttempt.solutions(tried.attempts()))
                        .orElse(List.of());
        List<SolutionScript> library =
                GreedyEnsemble.library(first, paths, acceptance.direction());
        List<SolutionScript> simplestFirst = new ArrayList<>(List.of(first.initialSolution()));
        simplestFirst.addAll(Strategy.bests(paths));
        acceptance.ranked(library).stream().limit(MOST_SINGLES).forEach(simplestFirst::add);
        simplestFirst.addAll(ensembles);
        List<SolutionScript> finalists = new ArrayList<>(GreedyEnsemble.blendable(simplestFirst));
        List<SolutionScript> refuted = Overstatement.among(finalists, acceptance.direction());
        finalists.removeAll(refuted);
        List<SolutionScript> choice = acceptance.preferring(ensembles::contains,
                acceptance.preferring(OwnWords::isJudged, finalists));
        SolutionScript chosen =
                choice.stream().min(acceptance.byAllRows(choice, hidden)).orElse(bestByScore);
        return new Choice(chosen, refuted);
    }
}

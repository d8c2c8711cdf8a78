package io.mlestar.core.phase;

import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.StrongSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The parts of the [Pipeline] that depend on a run's [io.mlestar.core.task.Search].
sealed interface Strategy permits PaperStrategy, StrongStrategy {
    /// The result of a part of the run.
    ///
    /// @param isWhole whether it ended as planned, and nothing was left out (REQ-OR-030)
    record PartResult<R>(R result, boolean isWhole) {}

    static Strategy of(RunContext context) {
        Acceptance acceptance = Acceptance.of(context);
        return switch (context.search()) {
            case PaperSearch paper -> new PaperStrategy(paper, acceptance);
            case StrongSearch strong ->
                new StrongStrategy(strong, acceptance, context.facts().holdout());
        };
    }

    /// Phase 1, without which there is no run.
    FirstPhase first();

    /// Phase 2. A path that failed is replaced by what it began with (REQ-OR-040).
    PartResult<List<Phase2Result>> refine(Phase1Result first, Steps steps);

    /// Phase 3; empty if it failed, or there is nothing to combine.
    Optional<PartResult<Phase3Result>> combine(
            Phase1Result first,
            List<Phase2Result> paths,
            Steps steps);

    /// The final choice.
    ///
    /// @param script that is finalized
    /// @param refuted scripts that were not chosen, since rows that had no part in the search
    ///   refute their scores
    record Choice(SolutionScript script, List<SolutionScript> refuted) {}

    Choice choose(Phase1Result first, List<Phase2Result> paths, Optional<Phase3Result> ensemble);

    /// The best by score of the paths' scripts and the ensemble; s_0 if none has a score.
    static SolutionScript best(
            Phase1Result first,
            List<Phase2Result> paths,
            Optional<Phase3Result> ensemble,
            Acceptance acceptance) {
        List<SolutionScript> all = new ArrayList<>(bests(paths));
        ensemble.map(Phase3Result::bestEnsemble).ifPresent(all::add);
        return acceptance.best(all).orElse(first.initialSolution());
    }

    /// The best script of each path.
    static List<SolutionScript> bests(List<Phase2Result> paths) {
        return paths.stream().map(Phase2Result::bestSolution).toList();
    }
}

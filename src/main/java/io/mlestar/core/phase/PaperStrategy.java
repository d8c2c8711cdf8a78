package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Algorithms 1 to 3: L paths of refinement in parallel from s_0, then planned ensembles of their
/// best scripts.
record PaperStrategy(PaperSearch paper, Acceptance acceptance) implements Strategy {
    @Override
    public FirstPhase first() {
        return new InitialSolution();
    }

    @Override
    public PartResult<List<Phase2Result>> refine(Phase1Result first, Steps steps) {
        SolutionScript s0 = first.initialSolution();
        List<Refinement> refinements =
                IntStream.range(0, paper.numParallelSolutions())
                        .mapToObj(path -> new Refinement(path, s0))
                        .toList();
        List<Outcome<Phase2Result>> outcomes = steps.callAll(refinements);
        List<Phase2Result> paths =
                outcomes.stream()
                        .map(outcome -> outcome.done().orElseGet(() -> Refinement.failed(s0)))
                        .toList();
        return new PartResult<>(paths, endedAsPlanned(outcomes));
    }

    /// True if at least one path succeeded, and none that did was cut short.
    private boolean endedAsPlanned(List<Outcome<Phase2Result>> outcomes) {
        List<Outcome<Phase2Result>> alive =
                outcomes.stream().filter(outcome -> !(outcome instanceof Outcome.Failed)).toList();
        return !alive.isEmpty() && alive.stream().allMatch(this::isWhole);
    }

    private boolean isWhole(Outcome<Phase2Result> outcome) {
        return outcome.done()
                .map(Phase2Result::stepHistory)
                .filter(steps -> steps.size() == paper.outerLoopSteps()
                        && steps.stream().allMatch(this::isWhole))
                .isPresent();
    }

    private boolean isWhole(StepRecord step) {
        return step.wasSkipped() || step.innerLoopAttempts().size() == paper.innerLoopSteps();
    }

    @Override
    public Optional<PartResult<Phase3Result>> combine(
            Phase1Result first,
            List<Phase2Result> paths,
            Steps steps) {
        if (paths.size() == 1) {
            return Optional.empty();
        }
        return steps.outcome(new Ensemble(Strategy.bests(paths)))
                .done()
                .map(ensemble -> new PartResult<>(ensemble,
                        ensemble.attempts().size() == paper.ensembleRounds()));
    }

    @Override
    public Choice choose(
            Phase1Result first,
            List<Phase2Result> paths,
            Optional<Phase3Result> ensemble) {
        SolutionScript best = Strategy.best(first, paths, ensemble, acceptance);
        SolutionScript chosen = switch (paper.finalSolution()) {
            case ENSEMBLE -> ensemble.map(Phase3Result::bestEnsemble).orElse(best);
            case BEST -> best;
        };
        return new Choice(chosen, List.of());
    }
}

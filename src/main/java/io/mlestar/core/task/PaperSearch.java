package io.mlestar.core.task;

import io.mlestar.core.base.Invalid;

/// Algorithms 1 to 3 as they are printed: merged candidates, blocks found by ablation, planned
/// ensembles, and scores that scripts print (REQ-DM-001).
///
/// @param numRetrievedModels M, models that the retriever is asked for
/// @param outerLoopSteps T, code blocks refined on a path
/// @param innerLoopSteps K, attempts on a code block
/// @param numParallelSolutions L, paths
/// @param ensembleRounds R, ensemble plans tried
/// @param finalSolution the script that is finalized
public record PaperSearch(
        int numRetrievedModels,
        int outerLoopSteps,
        int innerLoopSteps,
        int numParallelSolutions,
        int ensembleRounds,
        FinalChoice finalSolution) implements Search {
    private static final int MOST_AT_ONCE = 100;
    private static final int MOST_ROUNDS = 1_000;

    public PaperSearch {
        Invalid.count("num_retrieved_models", numRetrievedModels, MOST_AT_ONCE);
        Invalid.count("outer_loop_steps", outerLoopSteps, MOST_ROUNDS);
        Invalid.count("inner_loop_steps", innerLoopSteps, MOST_ROUNDS);
        Invalid.count("num_parallel_solutions", numParallelSolutions, MOST_AT_ONCE);
        Invalid.count("ensemble_rounds", ensembleRounds, MOST_ROUNDS);
    }

    /// Ablation studies on all paths together, each of which leads to one block.
    public int ablations() {
        return numParallelSolutions * outerLoopSteps;
    }

    @Override
    public int attempts() {
        return ablations() * innerLoopSteps;
    }

    /// Ensembles that are planned: none of a single solution.
    public int plannedEnsembles() {
        return numParallelSolutions == 1 ? 0 : ensembleRounds;
    }

    @Override
    public int mostFolds() {
        return 1;
    }

    @Override
    public int agentsLook() {
        return 0;
    }
}

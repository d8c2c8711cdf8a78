package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.mlestar.core.base.Invalid;

/// The numbers of the paper's algorithms.
///
/// @param numRetrievedModels M, models that the retriever is asked for
/// @param outerLoopSteps T, code blocks refined per path
/// @param innerLoopSteps K, attempts per code block
/// @param numParallelSolutions L, refinement paths
/// @param ensembleRounds R, ensemble plans tried
/// @param attemptsAtOnce attempts of an inner loop that are carried out side by side; 1, the paper's, is one after the other
/// @param roundsAtOnce ensemble rounds side by side
/// @param finalSolution which script is finalized: the one with the best score, or the paper's, the best ensemble
public record LoopSettings(
        @JsonProperty(defaultValue = "4") int numRetrievedModels,
        @JsonProperty(defaultValue = "4") int outerLoopSteps,
        @JsonProperty(defaultValue = "4") int innerLoopSteps,
        @JsonProperty(defaultValue = "2") int numParallelSolutions,
        @JsonProperty(defaultValue = "5") int ensembleRounds,
        @JsonProperty(defaultValue = "1") int attemptsAtOnce,
        @JsonProperty(defaultValue = "1") int roundsAtOnce,
        @JsonProperty(defaultValue = "best") FinalChoice finalSolution) {

    /// What a phase asks for side by side, and keeps in memory at once.
    private static final int MOST_AT_ONCE = 100;
    private static final int MOST_ROUNDS = 1_000;

    public LoopSettings {
        Invalid.count("num_retrieved_models", numRetrievedModels, MOST_AT_ONCE);
        Invalid.count("outer_loop_steps", outerLoopSteps, MOST_ROUNDS);
        Invalid.count("inner_loop_steps", innerLoopSteps, MOST_ROUNDS);
        Invalid.count("num_parallel_solutions", numParallelSolutions, MOST_AT_ONCE);
        Invalid.count("ensemble_rounds", ensembleRounds, MOST_ROUNDS);
        Invalid.count("attempts_at_once", attemptsAtOnce, MOST_AT_ONCE);
        Invalid.count("rounds_at_once", roundsAtOnce, MOST_AT_ONCE);
    }
}

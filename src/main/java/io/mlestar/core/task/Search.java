package io.mlestar.core.task;

/// The way a run looks for a good script: one of two, each with its own numbers. Nothing else of it
/// can be set.
public sealed interface Search permits PaperSearch, StrongSearch {
    /// M: models that the retriever is asked for, each of which becomes a candidate.
    int numRetrievedModels();

    /// L: paths of Phase 2.
    int numParallelSolutions();

    /// Attempts of Phase 2 on all paths together, each of which runs a script.
    int attempts();

    /// The most folds that the score of one script is computed on; 1 where scripts print their
    /// scores.
    int mostFolds();

    /// The most short scripts that an agent may run on the data for one answer.
    int agentsLook();
}

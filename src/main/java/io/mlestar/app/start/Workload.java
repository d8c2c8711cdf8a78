package io.mlestar.app.start;

import io.mlestar.app.start.Forecast.RunDurations;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.StrongSearch;

/// The counts of everything that a run does, by its search.
///
/// @param ablations studies before a code block
/// @param planners plans for a code block that the extractor did not give
/// @param rounds planned ensembles
/// @param combinations 0 or 1: whether a last script combines the members of a blend
/// @param firstStudies 0 or 1: whether a study compares kinds of models before the candidates
/// @param reviews 0 or 1: whether studies are summarized and the solution is checked for unused
///   data
/// @param checks 0 or 1: whether agents check for leaks and write the submission, which hidden
///   rows make needless
/// @param folds on which each script is run, if none is stopped after the first
/// @param turns attempts that come one after the other, if paths run side by side
record Workload(
        int models,
        int merges,
        int ablations,
        int attempts,
        int planners,
        int rounds,
        int combinations,
        int firstStudies,
        int reviews,
        int checks,
        int folds,
        int turns) {
    static Workload of(PipelineConfig config, RunDurations durations, int slots) {
        return switch (config.search()) {
            case PaperSearch paper -> of(paper);
            case StrongSearch strong -> of(strong, folds(strong, config, durations, slots));
        };
    }

    private static Workload of(PaperSearch paper) {
        int models = paper.numRetrievedModels();
        int planners = paper.attempts() - paper.ablations();
        return new Workload(models, models - 1, paper.ablations(), paper.attempts(), planners,
                paper.plannedEnsembles(), 0, 0, 1, 1, 1, paper.outerLoopSteps());
    }

    private static Workload of(StrongSearch strong, int folds) {
        int firstStudies = strong.beginsWithStudy() ? 1 : 0;
        int turns = Math.ceilDiv(strong.attempts(), strong.numParallelSolutions());
        return new Workload(strong.numRetrievedModels(), 0, 0, strong.attempts(), 0, 0, 1,
                firstStudies, 0, 0, folds, turns);
    }

    private static int folds(
            StrongSearch strong,
            PipelineConfig config,
            RunDurations durations,
            int slots) {
        int most = strong.mostFolds();
        return strong.decidesFolds()
                && !Evaluation.affords(durations.scriptSeconds(), most, slots, config)
                        ? 1
                        : most;
    }

    /// Scripts that are scored.
    int solutions() {
        return models + merges + attempts + rounds + combinations;
    }
}

package io.mlestar.core.task;

import io.mlestar.core.base.Invalid;
import java.util.regex.Pattern;

/// The search of preset `strong`: scores on folds of hidden rows, a first study, attempts on whole
/// scripts from a candidate for each path, a greedy blend, one script that combines its members,
/// and a choice by all hidden rows.
///
/// @param numRetrievedModels models that the retriever is asked for; each becomes a candidate
/// @param numParallelSolutions paths, each of which begins with a candidate of its own
/// @param attempts answers and scripts of all paths together
/// @param folds of the hidden rows: `auto` is 5, of which a script that takes long has one; else 1
///   to 20
/// @param studies most experiments without a score on each path; one more compares kinds of models
///   before the candidates. 0 is none at all
/// @param agentsLook most short scripts that an agent may run on the data for one answer; 0 is none
public record StrongSearch(
        int numRetrievedModels,
        int numParallelSolutions,
        int attempts,
        String folds,
        int studies,
        int agentsLook) implements Search {
    /// Scripts that an agent may run on the data for one answer.
    public static final int MOST_LOOKS = 20;
    private static final int MOST_AT_ONCE = 100;
    private static final int MOST_ATTEMPTS = 10_000;
    private static final int MOST_STUDIES = 1_000;
    /// Folds of a run that decides itself.
    public static final int USUAL_FOLDS = 5;
    private static final Pattern FOLDS = Pattern.compile("auto|[1-9]|1[0-9]|20");

    public StrongSearch {
        Invalid.count("num_retrieved_models", numRetrievedModels, MOST_AT_ONCE);
        Invalid.count("num_parallel_solutions", numParallelSolutions, MOST_AT_ONCE);
        Invalid.count("attempts", attempts, MOST_ATTEMPTS);
        if (!FOLDS.matcher(folds).matches()) {
            throw new Invalid("folds must be auto or 1 to 20, but is " + folds);
        }
        within("studies", studies, MOST_STUDIES);
        within("agents_look", agentsLook, MOST_LOOKS);
    }

    private static void within(String field, int value, int most) {
        if (value < 0 || value > most) {
            throw new Invalid(field + " must be 0 to " + most + ", but is " + value);
        }
    }

    /// True if a study compares kinds of models before the candidates are written.
    public boolean beginsWithStudy() {
        return studies > 0;
    }

    /// True if the number of folds depends on how long a script takes.
    public boolean decidesFolds() {
        return folds.equals(PipelineConfig.AUTO);
    }

    @Override
    public int mostFolds() {
        return decidesFolds() ? USUAL_FOLDS : Integer.parseInt(folds);
    }
}

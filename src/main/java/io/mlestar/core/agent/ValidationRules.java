package io.mlestar.core.agent;

import io.mlestar.core.step.DataTables;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.StrongSearch;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;

/// The rules of validation in prompts: each script holds out rows of its own, or the harness scores
/// its predictions for rows that it hides.
final class ValidationRules {
    /// One rule for all scripts of a run, or their scores could not be compared.
    private static final String OWN = Prompts.part("own-rows");
    static final String IMPORTABLE = Prompts.part("importable");
    private static final String OUTSIDE = Prompts.part("outside-knowledge");
    private static final String INSIDE =
            "Use nothing but the data: no facts or figures from elsewhere may be written into scripts.";

    private ValidationRules() {}

    /// The section of the system prompt.
    static String section(RunContext context) {
        Holdout holdout = context.facts().holdout();
        boolean isOutsideAllowed = context.config().outsideKnowledge();
        if (holdout == null) {
            return OWN + (isOutsideAllowed ? "" : "\n\n" + INSIDE);
        }
        return Prompts.part("hidden-rows", Map.of(
                "folds", folds(context),
                "fold_rows", Integer.toString(Collections.min(holdout.foldRows())),
                "search_rows", Integer.toString(holdout.searchRows()),
                "select_rows", Integer.toString(holdout.selectRows()),
                "hidden_rows", Integer.toString(holdout.searchRows() + holdout.selectRows()),
                "counted",
                holdout.inTime()
                        ? "those of the run without the latest fold count"
                        : "their mean counts",
                "scheme", holdout.scheme(), "left_out",
                Objects.requireNonNullElse(holdout.leftOut(), ""), "knowledge",
                isOutsideAllowed ? OUTSIDE : INSIDE, "tested",
                areFiles(context) ? "files to be predicted" : "rows of the test table"));
    }

    /// The number of folds; empty where all scripts have one and the same.
    private static String folds(RunContext context) {
        return isFolded(context) ? Integer.toString(context.facts().folds()) : "";
    }

    /// The ambition of a first solution: in a strong search no agent looks for unused data
    /// afterwards.
    static String ambition(RunContext context) {
        return isStrong(context)
                ? Prompts.part("strong-ambition", Map.of("importable", IMPORTABLE))
                : Prompts.part("simple-ambition");
    }

    /// The paper's word on a metric is idle where the program computes the task's.
    static String metric(RunContext context) {
        return (context.scoresAreTrusted()
                ? ""
                : "Propose a reasonable evaluation metric for the task. ")
                + Prompts.metricSentence(context);
    }

    /// The score that a script with one model prints.
    static String score(RunContext context) {
        if (isFolded(context)) {
            return Prompts.part("score-of-folds");
        }
        return "Compute that metric on "
                + (context.scoresAreTrusted()
                        ? "folds of the training data"
                        : "a hold-out validation set")
                + " and print it.";
    }

    static String ensembleScore(RunContext context) {
        if (isFolded(context)) {
            return Prompts.part("ensemble-rows");
        }
        return Prompts.part(context.scoresAreTrusted() ? "ensemble-folds" : "ensemble-own");
    }

    /// The task in the prompt of an agent that begins with it; empty where the system prompt has
    /// said it and a short run says nothing twice.
    static String competition(RunContext context, String description) {
        return isStrong(context) && description.strip().equals(context.task().description().strip())
                ? ""
                : "# Competition\n\n<task_description>\n" + description
                        + "\n</task_description>\n\n";
    }

    /// The rule for subsampling. If no agent takes the subsampling out of the last script, a
    /// variable does.
    static String subsampling(RunContext context) {
        return context.scoresAreTrusted()
                ? Prompts.part("subsampling")
                : context.limits().subsampleInstruction();
    }

    /// The data that a script loads.
    static String data(RunContext context) {
        return context.scoresAreTrusted()
                ? Prompts.part("data-with-test")
                : Prompts.part("data-without-test");
    }

    /// The folds of a study: the same for all scripts, so that their differences are paired, too.
    static String studies(RunContext context) {
        Holdout holdout = context.facts().holdout();
        return Prompts.part("study-folds", Map.of(
                "folds", folds(context),
                "file", Holdout.STUDY_FOLDS,
                "files", PromptTemplate.when(areFiles(context)),
                "select_rows", holdout == null ? "" : Integer.toString(holdout.selectRows()),
                "in_time", PromptTemplate.when(holdout != null && holdout.inTime()),
                "hidden", PromptTemplate.when(holdout != null)));
    }

    /// True if examples are files that no table lists, for training or for the test.
    private static boolean areFiles(RunContext context) {
        DataTables tables = context.facts().tables();
        return tables != null && (tables.train() == null || tables.test() == null);
    }

    private static boolean isFolded(RunContext context) {
        return context.facts().folds() > 1;
    }

    private static boolean isStrong(RunContext context) {
        return context.search() instanceof StrongSearch;
    }
}

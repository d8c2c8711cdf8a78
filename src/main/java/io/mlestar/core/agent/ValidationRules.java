package io.mlestar.core.agent;

import io.mlestar.core.step.DataTables;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.StrongSearch;
import java.util.Collections;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The rules of validation in prompts: each script holds out rows of its own, or the harness scores
/// its predictions for rows that it hides.
final class ValidationRules {
    /// One rule for all scripts of a run, or their scores could not be compared.
    private static final String OWN = Prompts.part("own-rows");
    private static final String HIDDEN_ROWS = Prompts.part("hidden-rows");
    private static final String SCORED_FOLDS = Prompts.part("scored-folds");
    private static final String SHARED_FOLDS = Prompts.part("ensemble-folds");
    private static final String SHARED_PART = Prompts.part("ensemble-rows");

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
        String leftOut = holdout.leftOut() == null ? "" : "\nPrograms do not see " + holdout.leftOut();
        return String.format(Locale.ROOT, HIDDEN_ROWS, hidden(holdout), holdout.scheme() + leftOut,
                scored(holdout),
                isFolded(holdout) ? "the score on rows that it holds out" : "each fold's score and their mean, last",
                isFolded(holdout) ? "; no average over them is needed, as the program makes one"
                        : ", and average the fold models",
                isOutsideAllowed ? OUTSIDE : INSIDE,
                areFiles(context) ? "files to be predicted" : "rows of the test table");
    }

    private static String scored(Holdout holdout) {
        if (!isFolded(holdout)) {
            return "Its score is computed from " + holdout.searchRows()
                    + " of the hidden rows in that file; the others are for the final choice.";
        }
        return String.format(Locale.ROOT, SCORED_FOLDS, holdout.folds(), holdout.searchRows(),
                holdout.inTime() ? "those of the run without the latest fold count" : "their mean counts");
    }

    private static String hidden(Holdout holdout) {
        return isFolded(holdout)
                ? "One fold of " + holdout.folds() + " (" + Collections.min(holdout.foldRows()) + " rows or more) and "
                        + holdout.selectRows()
                        + " other rows of the training data are hidden from a program when it runs"
                : holdout.searchRows() + holdout.selectRows()
                        + " rows of the training data are hidden from all programs";
    }

    /// The ambition of a first solution: in a strong search no agent looks for unused data
    /// afterwards.
    static String ambition(RunContext context) {
        return isStrong(context)
                ? Prompts.part("strong-ambition")
                : Prompts.part("simple-ambition");
    }

    /// The paper's word on a metric is idle where the program computes the task's.
    static String metric(RunContext context) {
        return (context.scoresAreTrusted() ? "" : "Propose a reasonable evaluation metric for the task. ")
                + Prompts.metricSentence(context);
    }

    /// The score that a script with one model prints.
    static String score(RunContext context) {
        if (isFolded(context)) {
            return Prompts.part("score-of-folds");
        }
        return "Compute that metric on "
                + (context.scoresAreTrusted() ? "folds of the training data" : "a hold-out validation set")
                + " and print it.";
    }

    static String ensembleScore(RunContext context) {
        if (isFolded(context)) {
            return SHARED_PART;
        }
        return context.scoresAreTrusted() ? SHARED_FOLDS
                : Prompts.part("ensemble-own");
    }

    /// The task in the prompt of an agent that begins with it; empty where the system prompt has
    /// said it and a short run says nothing twice.
    static String competition(RunContext context, String description) {
        return isStrong(context) && description.strip().equals(context.task().description().strip()) ? ""
                : "# Competition\n\n<task_description>\n" + description + "\n</task_description>\n\n";
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
        return context.scoresAreTrusted() ? Prompts.part("data-with-test")
                : Prompts.part("data-without-test");
    }

    /// The folds of a study: the same for all scripts, so that their differences are paired, too.
    static String studies(RunContext context) {
        Holdout holdout = context.facts().holdout();
        if (holdout != null && holdout.folds() > 1) {
            String examples = areFiles(context)
                    ? "example, with its path below `./input` in the column `file` or its name in `example`."
                    : "row of the training table, in its order.";
            String latest = holdout.inTime()
                    ? "Fold 0 is the latest: each is predicted from higher numbers, if `order=` takes the time of each row. "
                    : "";
            return String.format(Locale.ROOT, Prompts.part("study-folds"), Holdout.STUDY_FOLDS, examples,
                    holdout.selectRows(), latest);
        }
        return Prompts.part("study-own-folds")
                + (holdout != null ? " Which of the three is right, the choice of the hidden rows tells." : "");
    }

    /// True if examples are files that no table lists, for training or for the test.
    private static boolean areFiles(RunContext context) {
        DataTables tables = context.facts().tables();
        return tables != null && (tables.train() == null || tables.test() == null);
    }

    private static boolean isFolded(@Nullable Holdout holdout) {
        return holdout != null && holdout.folds() > 1;
    }

    private static boolean isFolded(RunContext context) {
        return isFolded(context.facts().holdout());
    }

    private static boolean isStrong(RunContext context) {
        return context.search() instanceof StrongSearch;
    }
}

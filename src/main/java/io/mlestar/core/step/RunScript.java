package io.mlestar.core.step;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Runs one Python program in a fresh folder with the task's data in `./input`.
///
/// @param content the program
/// @param kind what is expected of it
/// @param timeoutSeconds the most it may take; the run's deadline may allow less
/// @param holdout digest of the rows that the harness hides from it, and scores it by, or of those
///   that a metric is tried on; null if none are hidden
/// @param fold number of the fold whose rows these are, with those for the final choice; 0 if none
///   are hidden
/// @param rows most training rows that it is told to learn from, in the variable [#ROWS]; null: it
///   is told of none
/// @param best a program that it may import as the module `best`; null if there is none
public record RunScript(
        String content,
        Kind kind,
        int timeoutSeconds,
        @Nullable String holdout,
        int fold,
        @Nullable Integer rows,
        @Nullable String best) implements Step<Execution> {
    /// Variable of a script's environment: the most training rows that it may learn from; not set
    /// if all.
    public static final String ROWS = "MLE_STAR_ROWS";
    /// Variable of a script's environment: the seconds after which it is ended.
    public static final String SECONDS = "MLE_STAR_SECONDS";
    private static final String FURTHER = "fold";

    /// The purpose of a script.
    public enum Kind {
        /// A solution: expected to print its validation score.
        SOLUTION("script"),
        /// An ablation study: expected to print findings, no score (REQ-P2O-020).
        ABLATION("script"),
        /// A study of [io.mlestar.core.task.StrongSearch]: expected to print a table, no score;
        /// sees all rows but those for the final choice.
        STUDY("script"),
        /// The last script: expected to write `./final/submission.csv` (REQ-FN-021).
        SUBMISSION("script"),
        /// The survey of the machine: expected to print what it found as JSON.
        MACHINE("machine"),
        /// The survey of the task's data, likewise.
        DATA_CARD("data-card"),
        /// The survey's third: expected to write the files of a [Holdout] into `./final/holdout`.
        HOLDOUT("holdout"),
        /// A task's own `split.py`, written by an agent: expected to answer for all views so that
        /// the same files can be made of it.
        SPLIT("split"),
        /// A task's metric, written by an agent: expected to score what is known of the hidden
        /// rows, which are kept once more with it.
        METRIC("metric");

        private final String step;

        Kind(String step) {
            this.step = step;
        }

        /// True if the script is part of the survey. Its text is the program's own, it has no score
        /// and makes no submission.
        public boolean isProbe() {
            return this == MACHINE || this == DATA_CARD || this == HOLDOUT;
        }

        /// True if the script leaves files of a [Holdout], which are kept and belong to its run.
        public boolean hidesRows() {
            return this == HOLDOUT || this == SPLIT || this == METRIC;
        }

        /// True if the script prints findings in place of a score.
        public boolean isStudy() {
            return this == ABLATION || this == STUDY;
        }

        /// True if a score that the script prints counts.
        public boolean isScored() {
            return this == SOLUTION || this == SUBMISSION;
        }
    }

    /// A script from which no rows are hidden.
    public RunScript(String content, Kind kind, int timeoutSeconds) {
        this(content, kind, timeoutSeconds, null, 0, null, null);
    }

    /// Another program, run alike.
    public RunScript of(String program) {
        return new RunScript(program, kind, timeoutSeconds, holdout, fold, rows, best);
    }

    /// Names of steps that run a script.
    public static final Set<String> NAMES =
            Stream.concat(Arrays.stream(Kind.values()).map(kind -> kind.step), Stream.of(FURTHER))
                    .collect(Collectors.toUnmodifiableSet());

    /// Its name in the folder that it runs in.
    public String filename() {
        return switch (kind) {
            case SOLUTION, SUBMISSION -> "solution.py";
            case ABLATION -> "ablation.py";
            case STUDY -> "study.py";
            case MACHINE -> "machine.py";
            case DATA_CARD -> "data_card.py";
            case HOLDOUT -> "holdout.py";
            case SPLIT -> "split.py";
            case METRIC -> "metric.py";
        };
    }

    /// The first fold's run is the script's; with those of the others, which are asked for together
    /// and in order, the number of a fold is that of its step: `fold`, `fold-2`, `fold-3`.
    @Override
    public String name() {
        return fold == 0 ? kind.step : FURTHER;
    }

    @Override
    public boolean isReusable() {
        return !kind.isProbe() && !kind.hidesRows();
    }
}

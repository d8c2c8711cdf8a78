package io.mlestar.show.report;

import io.mlestar.adapter.grade.Grade;
import io.mlestar.core.base.Controls;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.Validation;
import io.mlestar.show.render.Formats;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a reader has to know of a run's final solution before using it, in Markdown. Texts of
/// models, scripts and users are bounded and stand in code.
///
/// @param program that made it
/// @param grade on labels that the run never saw; empty if it was not graded
/// @param digest of the run's submission, if there is one
record ModelCard(FinalResult result, Facts facts, Optional<Grade> grade, String program, PinnedLibraries libraries,
        Optional<String> digest) {
    private static final int LONGEST = 500;
    private static final int DESCRIPTION = 20_000;

    String text() {
        TaskDescription task = result.task();
        List<String> lines = new ArrayList<>(List.of("# Model card: " + line(task.competitionId()), "",
                "The final solution of run " + code(result.runId()) + ", which " + program
                        + " found by MLE-STAR (arXiv:2506.15692) on "
                        + LocalDate.ofInstant(result.startedAt(), ZoneOffset.UTC) + "."));
        chapter(lines, "Task", List.of("Type: " + word(task.taskType()) + "; data: " + word(task.dataModality()),
                "Metric: " + line(task.evaluationMetric()) + "; " + task.metricDirection().better() + " is better"));
        lines.addAll(List.of("", "As the agents read it:", ""));
        Controls.shown(Formats.clip(task.description(), DESCRIPTION)).lines()
                .forEach(line -> lines.add(line.isBlank() ? "" : "    " + line));
        chapter(lines, "Scores", scores());
        chapter(lines, "What it was made of", result.lineage().stream().limit(LONGEST).map(ModelCard::line).toList());
        chapter(lines, "Cost", cost());
        chapter(lines, "Limits", limits());
        chapter(lines, "What is not known", unknown());
        return String.join("\n", lines) + "\n";
    }

    private static void chapter(List<String> lines, String heading, List<String> points) {
        lines.addAll(List.of("", "## " + heading, ""));
        points.forEach(point -> lines.add("- " + point));
    }

    private List<String> scores() {
        List<String> all = new ArrayList<>();
        Score score = result.chosen().score();
        Optional<Validation> by = Optional.ofNullable(score.validation());
        Score baseline = result.phase1().initialSolution().score();
        all.add("Final score: " + Formats.score(score) + ", "
                + (by.isPresent() ? "on rows that were hidden from the script"
                        : "on the validation split that the script made itself"));
        by.ifPresent(known -> all.add("Verified score: " + Formats.score(known.select(), known.selectError())
                + ", on rows that were kept from the search; "
                + "they decided among the best scripts"));
        all.add("Score on hidden labels: " + grade
                .map(known -> Formats.score(known.score()) + ", of the run's submission on " + known.rows() + " labels")
                .orElse("none; the run was not graded"));
        all.add("Baseline, the initial solution: " + Formats.score(baseline));
        if (score.isKnown()) {
            all.add("Gain over the baseline: " + Formats.gain(score.over(baseline, result.task().metricDirection())));
        }
        Holdout holdout = facts.holdout();
        if (holdout != null) {
            all.add("Hidden rows: " + holdout.searchRows()
                    + (holdout.folds() == 1 ? "" : " in " + holdout.folds() + " folds") + ", and "
                    + holdout.selectRows() + " for the verified score: " + line(holdout.scheme()));
        }
        return all;
    }

    private List<String> cost() {
        String models = result.config().models().used().stream().sorted().map(ModelCard::code)
                .collect(Collectors.joining(", "));
        return List.of("Models: " + models, "Cost: " + Formats.dollars(result.totalCostUsd()),
                "Time: " + Formats.duration(result.totalDurationSeconds()));
    }

    private List<String> limits() {
        List<String> all = new ArrayList<>();
        all.add("It is a script that trains on the data in `./input` and predicts the rows of their test table: no trained model is kept.");
        if (result.chosen().score().validation() == null) {
            all.add("The script measured itself: its score can be too good by what the search tried, and has no known error.");
        }
        if (result.submissionReplaced() != null) {
            all.add("The run did not hand in what this script predicts, but what "
                    + line(String.valueOf(result.submissionSource()))
                    + " predicted when it was scored: " + line(result.submissionReplaced()));
        } else if (result.submissionFailure() != null) {
            all.add("Its submission is not valid: " + line(result.submissionFailure()));
        }
        Optional.ofNullable(result.betterScript()).ifPresent(better -> all
                .add("A single script scored better: " + Formats.score(better.score()) + ", that of "
                        + line(better.step())));
        Optional.ofNullable(result.stopReason()).ifPresent(why -> all.add("The run was cut short: " + line(why)));
        if (result.config().models().used().stream().anyMatch(ModelSettings::isRecorded)) {
            all.add("Answers of models were recorded ones.");
        }
        Optional.ofNullable(result.contamination())
                .ifPresent(verdict -> all.add("Compared with reference discussions: " + word(verdict)));
        return all;
    }

    private List<String> unknown() {
        List<String> all = new ArrayList<>();
        if (grade.isEmpty()) {
            all.add("How it does on data that neither the script nor the run has seen.");
        }
        if (facts.machine().python() == null) {
            all.add("The version of Python with which it ran.");
        }
        if (!libraries.unknown().isEmpty()) {
            all.add("The versions of " + String.join(", ", libraries.unknown()) + ".");
        }
        all.add("The digests of the libraries' files: `requirements.txt` pins versions.");
        if (result.totalCostUsd() == null) {
            all.add("What the answers of models without a known price cost.");
        }
        if (result.contamination() == null) {
            all.add("Whether it copies a published solution (" + line(result.contaminationNote()) + ").");
        }
        all.add("Whether the data are right, fair and free to use, and how long they stay like those to come. The program does not look at that.");
        digest.ifPresent(
                known -> all.add(
                        "Whether another machine gives the very same predictions; the run's submission has the SHA-256 "
                                + code(known) + "."));
        return all;
    }

    private static String line(@Nullable String text) {
        return Formats.markdown(text, LONGEST);
    }

    private static String code(String text) {
        return "`" + Controls.shown(text).replace('`', '\'') + "`";
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}

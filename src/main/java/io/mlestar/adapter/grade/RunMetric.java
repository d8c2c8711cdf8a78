package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.HiddenRows.Draws;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.Validation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/// The metric of a run: one that has a name here, or the task's own program.
///
/// @param draws of the rows, for the errors of scores: the fewer the longer the program takes
record RunMetric(Metric metric, Draws draws) {
    /// Seconds of all scores of a script.
    private static final double MOST_SECONDS = 1;
    /// The fewest draws that still tell the size of an error.
    private static final int FEWEST = 3;
    /// Seconds that one score may take.
    private static final double LONGEST = 20;
    private static final List<Integer> STEPS = List.of(Validation.COSTLY, 12, 6, FEWEST);

    /// @param program the source of the task's own metric
    /// @param form of the submissions
    static RunMetric of(
            TaskDescription task,
            Optional<String> program,
            MetricProgram.Runner runner,
            SubmissionForm form,
            int draws) {
        return program
                .map(source -> new RunMetric(
                        new MetricProgram(source, runner).metric(task, !form.areNumbers()),
                        new Draws(draws, true)))
                .orElseGet(() -> new RunMetric(Metric.named(task.evaluationMetric()), Draws.USUAL));
    }

    /// The metric before it is known how long a score takes.
    static RunMetric untried(
            TaskDescription task,
            Optional<String> program,
            MetricProgram.Runner runner,
            SubmissionForm form) {
        return of(task, program, runner, form, FEWEST);
    }

    HiddenLabels labels(byte[] csv, SubmissionForm form, String digest, OptionalInt fold) {
        return HiddenLabels.of(csv, form.format(), metric, draws, digest, fold);
    }

    /// The number of draws that a metric of that speed is worth.
    ///
    /// @param seconds that one score takes
    /// @throws Invalid if it takes too long
    static int draws(double seconds, int folds) {
        if (seconds > LONGEST) {
            throw new Invalid(String.format(Locale.ROOT,
                    "%s takes %.0f seconds for one score, and may take %.0f", MetricProgram.FILE,
                    seconds, LONGEST));
        }
        return STEPS.stream()
                .filter(number -> scores(number, folds) * seconds <= MOST_SECONDS)
                .findFirst()
                .orElse(FEWEST);
    }

    /// The number of scores that the program computes for a script that is run on all folds: see
    /// [ProgramValidation.WantedScores].
    static int scores(int draws, int folds) {
        return folds == 1 ? 2 * (1 + draws) : 3 * (1 + draws) + 1 + folds;
    }
}

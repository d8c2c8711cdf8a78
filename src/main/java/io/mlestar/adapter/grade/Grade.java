package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.TaskDescription;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The score of a submission on labels that the run never saw.
///
/// @param metric name as the task gives it
/// @param score on the hidden labels
/// @param rows how many count: those with a weight, if the labels have weights
@RegisterForReflection
public record Grade(String metric, double score, int rows) {
    /// Name of the file in a run's folder that keeps its grade.
    public static final String FILE = "grade.json";
    /// Column of the labels with the weight of each row.
    private static final String WEIGHT = "weight";

    /// Grades a submission that holds all ids of the labels.
    ///
    /// @param name of the task's metric
    /// @throws Invalid if the metric is unknown, the labels do not fit, or the score is not defined
    public static Grade of(String name, Table submission, Table labels) {
        return of(Metric.named(name), name, submission, labels);
    }

    /// Like [#of], by the task's own metric.
    ///
    /// @throws Invalid also if that fails
    public static Grade of(
            MetricProgram program,
            TaskDescription task,
            Table submission,
            Table labels) {
        return of(program.metric(task, false), task.evaluationMetric(), submission, labels);
    }

    private static Grade of(Metric metric, String name, Table submission, Table labels) {
        labels.check(labels.what() + ": ");
        List<CsvRecord> predicted = labels.rows().keySet().stream().map(id -> {
            if (!submission.rows().containsKey(id)) {
                throw new Invalid(submission.what() + " has no row for id " + Excerpt.line(id, 40)
                        + " of the labels; their columns are "
                        + Excerpt.line(String.join(", ", labels.header()), 120)
                        + ", the submission's "
                        + Excerpt.line(String.join(", ", submission.header()), 120)
                        + ": are these the right labels?");
            }
            return submission.rows().get(id);
        }).toList();
        List<CsvRecord> truth = List.copyOf(labels.rows().values());
        boolean isOwn = metric.traits().isOfProgram() || metric.traits().needs().contains(WEIGHT);
        double[] weights =
                truth.stream().mapToDouble(row -> isOwn ? 1 : weight(labels, row)).toArray();
        double score = metric.of(new Grading(labels, truth, submission.columns()))
                .apply(new Predictions.SubmittedRows(submission, predicted))
                .score(weights);
        int rows = (int) Arrays.stream(weights).filter(value -> value > 0).count();
        return new Grade(name, score, rows);
    }

    private static double weight(Table labels, CsvRecord row) {
        int column = labels.column(WEIGHT);
        double weight = column < 0 ? 1 : Submissions.number(row.getField(column));
        if (!(weight >= 0)) {
            throw new Invalid(
                    labels.what() + ", " + Table.line(row) + ": the weight must be 0 or more");
        }
        return weight;
    }

    /// A line for a terminal.
    public String text() {
        return String.format(Locale.ROOT, "%s: %.6f", metric, score) + " (" + rows
                + " hidden labels)";
    }
}

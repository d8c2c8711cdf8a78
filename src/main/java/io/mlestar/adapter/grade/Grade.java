package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The score of a submission on labels that the run never saw.
///
/// @param metric name as the task gives it
/// @param score on the hidden labels
/// @param rows how many count: those with a weight, if the labels have weights
/// @param medal `gold`, `silver`, `bronze`; null for none, or without thresholds
/// @param aboveMedian null without a median
/// @param thresholds null if none were given
@RegisterForReflection
public record Grade(String metric, double score, int rows, @Nullable String medal, @Nullable Boolean aboveMedian, @Nullable Medals thresholds) {
    /// Name of the file in a run's folder that keeps its grade.
    public static final String FILE = "grade.json";
    /// Column of the labels with the weight of each row.
    private static final String WEIGHT = "weight";

    /// The lowest scores that earn each medal, as MLE-bench counts them; null where unknown. Scores are rounded to five decimals, as on a
    /// leaderboard.
    public record Medals(@Nullable Double gold, @Nullable Double silver, @Nullable Double bronze, @Nullable Double median) {
        private static final int DECIMALS = 5;

        @Nullable
        String medal(double score, MetricDirection direction) {
            double counted = counted(score);
            return reaches(counted, gold, direction) ? "gold" : reaches(counted, silver, direction) ? "silver"
                    : reaches(counted, bronze, direction) ? "bronze" : null;
        }

        /// Null without a median.
        @Nullable
        Boolean aboveMedian(double score, MetricDirection direction) {
            return median == null ? null : Boolean.valueOf(direction.isImprovement(counted(score), median));
        }

        private static double counted(double score) {
            return Double.isFinite(score) ? new BigDecimal(score).setScale(DECIMALS, RoundingMode.HALF_EVEN).doubleValue() : score;
        }

        private static boolean reaches(double score, @Nullable Double threshold, MetricDirection direction) {
            return threshold != null && direction.isImprovementOrEqual(score, threshold);
        }
    }

    /// Grades a submission that holds all ids of the labels.
    ///
    /// @param name of the task's metric
    /// @param medals null if no thresholds are known
    /// @throws Invalid if the metric is unknown, the labels do not fit, or the score is not defined
    public static Grade of(String name, Table submission, Table labels, @Nullable Medals medals) {
        return of(Metric.named(name), name, submission, labels, medals);
    }

    /// As [#of], by the task's own metric.
    ///
    /// @throws Invalid also if that fails
    public static Grade of(MetricProgram program, TaskDescription task, Table submission, Table labels, @Nullable Medals medals) {
        return of(program.metric(task, false), task.evaluationMetric(), submission, labels, medals);
    }

    private static Grade of(Metric metric, String name, Table submission, Table labels, @Nullable Medals medals) {
        if (!labels.problems().isEmpty()) {
            throw new Invalid(labels.what() + ": " + labels.problems().getFirst());
        }
        List<CsvRecord> predicted = labels.rows().keySet().stream().map(id -> {
            if (!submission.rows().containsKey(id)) {
                throw new Invalid(submission.what() + " has no row for id " + Excerpt.line(id, 40) + " of the labels; their columns are "
                        + Excerpt.line(String.join(", ", labels.header()), 120) + ", the submission's "
                        + Excerpt.line(String.join(", ", submission.header()), 120)
                        + ": are these the right labels?");
            }
            return submission.rows().get(id);
        }).toList();
        List<CsvRecord> truth = List.copyOf(labels.rows().values());
        boolean isOwn = metric.traits().isOfProgram() || metric.traits().needs().contains(WEIGHT);
        double[] weights = truth.stream().mapToDouble(row -> isOwn ? 1 : weight(labels, row)).toArray();
        double score = metric.of(new Grading(labels, truth, submission.columns()))
                .apply(new Grading.Submitted(submission, predicted)).score(weights);
        int rows = (int) Arrays.stream(weights).filter(value -> value > 0).count();
        return new Grade(name, score, rows, medals == null ? null : medals.medal(score, metric.direction()),
                medals == null ? null : medals.aboveMedian(score, metric.direction()), medals);
    }

    private static double weight(Table labels, CsvRecord row) {
        int column = labels.column(WEIGHT);
        double weight = column < 0 ? 1 : Submissions.number(row.getField(column));
        if (!(weight >= 0)) {
            throw new Invalid(labels.what() + ", " + Table.line(row) + ": the weight must be 0 or more");
        }
        return weight;
    }

    /// A few lines for a terminal.
    public String text() {
        return String.format(Locale.ROOT, "%s: %.6f", metric, score) + " (" + rows + " hidden labels)"
                + (medal == null ? "" : "\nmedal: " + medal)
                + (aboveMedian == null ? "" : "\nmedian: " + (aboveMedian ? "above" : "not above"));
    }
}

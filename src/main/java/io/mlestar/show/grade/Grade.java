package io.mlestar.show.grade;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.Formats;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How a submission did on labels that the run never saw.
///
/// @param metric name as the task gives it
/// @param score on the hidden labels
/// @param rows how many count: those with a weight, if the labels have weights
/// @param medal `gold`, `silver`, `bronze`; null for none, or without thresholds
/// @param aboveMedian null without a median
/// @param thresholds null if none were given
public record Grade(String metric, double score, int rows, @Nullable String medal, @Nullable Boolean aboveMedian, @Nullable Medals thresholds) {
    /// Name of the file in a run's folder that keeps its grade.
    public static final String FILE = "grade.json";
    /// Column of the labels, besides the targets, that says how much a row counts.
    private static final String WEIGHT = "weight";

    /// Scores of a leaderboard from which on a medal is given (as MLE-bench counts them); null where unknown. A score counts with five
    /// decimals, as it would have stood on the leaderboard.
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
        Metric metric = Metric.named(name);
        if (!labels.problems().isEmpty()) {
            throw new Invalid(labels.what() + ": " + labels.problems().getFirst());
        }
        List<Table.Row> truth = List.copyOf(labels.rows().values());
        List<Table.Row> predicted = new ArrayList<>();
        for (String id : labels.rows().keySet()) {
            Table.Row row = submission.rows().get(id);
            if (row == null) {
                throw new Invalid(submission.what() + " has no row for id " + Formats.line(id, 40) + " of the labels");
            }
            predicted.add(row);
        }
        int weight = labels.column(WEIGHT);
        double[] weights = truth.stream().mapToDouble(row -> weight < 0 ? 1 : weight(labels, row, weight)).toArray();
        double score = new Grading(metric, submission, predicted, labels, truth, weights).score();
        int rows = (int) java.util.Arrays.stream(weights).filter(value -> value > 0).count();
        MetricDirection direction = metric.direction();
        return new Grade(name, score, rows, medals == null ? null : medals.medal(score, direction),
                medals == null ? null : medals.aboveMedian(score, direction), medals);
    }

    private static double weight(Table labels, Table.Row row, int column) {
        double weight = Submissions.number(row.fields().get(column));
        if (!(weight >= 0)) {
            throw new Invalid(labels.what() + ", line " + row.line() + ": the weight must be 0 or more");
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

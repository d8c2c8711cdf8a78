package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Grading.Submitted;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// How far two predictions for the same rows are from each other, as [io.mlestar.core.step.SubmissionComparison] says: by their values, by their ranks where the metric
/// sees the order alone, or by the share of other labels where it sees labels.
public final class PredictionDistance {
    /// So that a constant that has changed has a distance, too.
    private static final double MOST = 1e6;

    private PredictionDistance() {}

    /// @param scored may hold more rows than `submitted`
    /// @throws Invalid if they have no row in common, or hold no predictions for the metric
    public static double of(Table scored, Table submitted, String metric) {
        if (!scored.columns().equals(submitted.columns())) {
            throw new Invalid("the columns of the submission are not those that were scored");
        }
        List<String> ids = submitted.rows().keySet().stream().filter(scored.rows()::containsKey).toList();
        if (ids.isEmpty()) {
            throw new Invalid("the submission has no row that was scored");
        }
        Submitted now = new Submitted(submitted, ids.stream().map(submitted.rows()::get).toList());
        Submitted then = new Submitted(scored, ids.stream().map(scored.rows()::get).toList());
        int[] columns = IntStream.range(0, submitted.columns().size()).toArray();
        return switch (Metric.named(metric)) {
            case ROC_AUC -> byValue(columns, column -> BlendMembers.ranks(now.numbers(column)), column -> BlendMembers.ranks(then.numbers(column)));
            case LOG_LOSS, RMSE, RMSLE, MAE -> byValue(columns, now::numbers, then::numbers);
            case ACCURACY, F1, MACRO_F1, QWK -> byLabel(now.classes(), then.classes());
        };
    }

    private static double byValue(int[] columns, Function<Integer, double[]> now, Function<Integer, double[]> then) {
        double difference = 0;
        double spread = 0;
        for (int column : columns) {
            double[] one = now.apply(column);
            double[] other = then.apply(column);
            difference += IntStream.range(0, one.length).mapToDouble(row -> Math.abs(one[row] - other[row])).average().orElseThrow();
            spread += spread(other);
        }
        return ratio(difference, spread);
    }

    /// The mean difference of two rows drawn at random.
    private static double spread(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double pairs = (double) sorted.length * sorted.length / 2;
        return IntStream.range(0, sorted.length).mapToDouble(i -> (2.0 * i - sorted.length + 1) * (sorted[i] / pairs)).sum();
    }

    private static double byLabel(String[] now, String[] then) {
        double rows = then.length;
        long others = IntStream.range(0, then.length).filter(row -> !now[row].equals(then[row])).count();
        double same = Arrays.stream(then).collect(Collectors.groupingBy(label -> label, Collectors.counting())).values().stream()
                .mapToDouble(count -> count / rows * (count / rows)).sum();
        return ratio(others / rows, 1 - same);
    }

    private static double ratio(double difference, double spread) {
        return difference == 0 ? 0 : spread > 0 && difference / spread < MOST ? difference / spread : MOST;
    }
}

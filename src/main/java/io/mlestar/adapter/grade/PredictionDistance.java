package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Predictions.SubmittedRows;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Blend.How;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// The distance between two predictions for the same rows, as
/// [io.mlestar.core.step.SubmissionComparison] says: by their values, by their ranks where the
/// metric sees the order alone, or by the share of other labels where it sees labels.
public final class PredictionDistance {
    /// The largest distance; a constant that has changed has it, too.
    private static final double MOST = 1e6;
    private static final int QUANTILES = 200;

    private PredictionDistance() {}

    /// @param how predictions for the metric are blended: by value, by rank, or as labels
    /// @param scored may hold more rows than `submitted`
    /// @throws Invalid if they have no row in common, or hold no predictions for the metric
    static double of(Table scored, Table submitted, How how) {
        if (!scored.columns().equals(submitted.columns())) {
            throw new Invalid("the columns of the submission are not those that were scored");
        }
        List<String> ids =
                submitted.rows().keySet().stream().filter(scored.rows()::containsKey).toList();
        if (ids.isEmpty()) {
            throw new Invalid("the submission has no row that was scored");
        }
        SubmittedRows now =
                new SubmittedRows(submitted, ids.stream().map(submitted.rows()::get).toList());
        SubmittedRows then =
                new SubmittedRows(scored, ids.stream().map(scored.rows()::get).toList());
        int columns = submitted.columns().size();
        return switch (how) {
            case RANK_MEAN -> byValue(columns, column -> BlendMembers.ranks(now.numbers(column)),
                    column -> BlendMembers.ranks(then.numbers(column)), UnaryOperator.identity());
            case MEAN, MEDIAN, LOG_MEAN ->
                byValue(columns, now::numbers, then::numbers, UnaryOperator.identity());
            case VOTE -> byLabel(now.classes(0), then.classes(0));
        };
    }

    /// The distance between predictions for some rows and predictions for others, as two samples:
    /// the mean difference of their quantiles, or the share of labels that one has more of, in the
    /// unit of [#of].
    ///
    /// @throws Invalid if they hold no predictions for the metric
    static double apart(Table hidden, Table asked, How how) {
        SubmittedRows then = new SubmittedRows(hidden, List.copyOf(hidden.rows().values()));
        SubmittedRows now = new SubmittedRows(asked, List.copyOf(asked.rows().values()));
        int columns = hidden.columns().size();
        return switch (how) {
            case RANK_MEAN -> {
                int from = hidden.rows().size();
                Function<Integer, double[]> both = column -> BlendMembers.ranks(
                        DoubleStream
                                .concat(Arrays.stream(then.numbers(column)),
                                        Arrays.stream(now.numbers(column)))
                                .toArray());
                yield byValue(columns,
                        column -> Arrays.copyOfRange(both.apply(column), from,
                                from + asked.rows().size()),
                        column -> Arrays.copyOf(both.apply(column), from),
                        PredictionDistance::quantiles);
            }
            case MEAN, MEDIAN, LOG_MEAN ->
                byValue(columns, now::numbers, then::numbers, PredictionDistance::quantiles);
            case VOTE -> byShare(shares(now.classes(0)), shares(then.classes(0)));
        };
    }

    private static double[] quantiles(double[] values) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        return IntStream.range(0, QUANTILES)
                .mapToDouble(i -> sorted[(int) ((i + 0.5) * sorted.length / QUANTILES)])
                .toArray();
    }

    private static double byShare(Map<String, Double> now, Map<String, Double> then) {
        Set<String> labels = new HashSet<>(now.keySet());
        labels.addAll(then.keySet());
        double difference = labels.stream()
                .mapToDouble(label -> Math
                        .abs(now.getOrDefault(label, 0.0) - then.getOrDefault(label, 0.0)) / 2)
                .sum();
        return ratio(difference, unlike(then));
    }

    /// The share of pairs of rows, drawn at random, whose labels differ.
    private static double unlike(Map<String, Double> shares) {
        return 1 - shares.values().stream().mapToDouble(share -> share * share).sum();
    }

    private static Map<String, Double> shares(String[] labels) {
        return Arrays.stream(labels)
                .collect(Collectors.groupingBy(label -> label,
                        Collectors.summingDouble(_ -> 1.0 / labels.length)));
    }

    /// @param paired makes of the values of a column those that are compared one by one
    private static double byValue(
            int columns,
            Function<Integer, double[]> now,
            Function<Integer, double[]> then,
            UnaryOperator<double[]> paired) {
        double difference = 0;
        double spread = 0;
        for (int column = 0; column < columns; column++) {
            double[] values = then.apply(column);
            double[] one = paired.apply(now.apply(column));
            double[] other = paired.apply(values);
            difference += IntStream.range(0, one.length)
                    .mapToDouble(row -> Math.abs(one[row] - other[row]))
                    .average()
                    .orElseThrow();
            spread += spread(values);
        }
        return ratio(difference, spread);
    }

    /// The mean difference of two rows drawn at random.
    private static double spread(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double pairs = (double) sorted.length * sorted.length / 2;
        return IntStream.range(0, sorted.length)
                .mapToDouble(i -> (2.0 * i - sorted.length + 1) * (sorted[i] / pairs))
                .sum();
    }

    private static double byLabel(String[] now, String[] then) {
        long others =
                IntStream.range(0, then.length).filter(row -> !now[row].equals(then[row])).count();
        return ratio(others / (double) then.length, unlike(shares(then)));
    }

    private static double ratio(double difference, double spread) {
        if (difference == 0) {
            return 0;
        }
        return spread > 0 && difference / spread < MOST ? difference / spread : MOST;
    }
}

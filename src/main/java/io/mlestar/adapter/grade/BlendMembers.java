package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Predictions.SubmittedRows;
import io.mlestar.core.step.Blend.How;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The predictions of a blend's members for the same rows, in the form in which they are put
/// together. The program of [io.mlestar.core.step.Blend] computes the same.
///
/// @param values by member, column and row: numbers, their logarithms or their ranks; for a vote,
///   places in `labels`
/// @param labels of a vote, in one spelling ([Table#label])
/// @param spellings of the labels, as the first member that gave one wrote it
record BlendMembers(How how, double[][][] values, List<String> labels, List<String> spellings) {
    static BlendMembers of(How how, Stream<SubmittedRows> members) {
        Map<String, Integer> places = new HashMap<>();
        List<String> labels = new ArrayList<>();
        List<String> spellings = new ArrayList<>();
        return new BlendMembers(how, members.map(
                member -> IntStream.range(0, member.submission().columns().size())
                        .mapToObj(column -> switch (how) {
                            case MEAN, MEDIAN -> member.numbers(column);
                            case LOG_MEAN ->
                                Arrays.stream(member.numbers(column)).map(Math::log1p).toArray();
                            case RANK_MEAN -> ranks(member.numbers(column));
                            case VOTE -> {
                                int field = member.submission().firstValue() + column;
                                yield member.rows()
                                        .stream()
                                        .mapToDouble(
                                                row -> places.computeIfAbsent(
                                                        member.submission().label(row, field),
                                                        label -> {
                                                            labels.add(label);
                                                            spellings.add(
                                                                    row.getField(field).strip());
                                                            return places.size();
                                                        }))
                                        .toArray();
                            }
                        })
                        .toArray(double[][]::new))
                .toArray(double[][][]::new), labels, spellings);
    }

    boolean areEqual(int one, int other) {
        return Arrays.deepEquals(values[one], values[other]);
    }

    /// @param weights how much each member counts
    Predictions blended(int[] weights) {
        return new Predictions() {
            @Override
            public double[] numbers(int column) {
                double[] blended = column(weights, column);
                return how == How.VOTE
                        ? Arrays.stream(blended)
                                .map(place -> Submissions.number(labels.get((int) place)))
                                .toArray()
                        : blended;
            }

            @Override
            public String[] classes(int column) {
                return Arrays.stream(column(weights, column))
                        .mapToObj(place -> labels.get((int) place))
                        .toArray(String[]::new);
            }

            @Override
            public String[] texts(int column) {
                double[] blended = column(weights, column);
                return Arrays.stream(blended)
                        .mapToObj(value -> how == How.VOTE
                                ? spellings.get((int) value)
                                : Double.toString(value))
                        .toArray(String[]::new);
            }
        };
    }

    /// One value for each row: numbers, or places of labels.
    double[] column(int[] weights, int column) {
        int[] used =
                IntStream.range(0, weights.length).filter(member -> weights[member] > 0).toArray();
        double total = Arrays.stream(weights).sum();
        ToDoubleFunction<Integer> blended = switch (how) {
            // Divided first: the sum of finite predictions may be none.
            case MEAN,
                    RANK_MEAN ->
                row -> Arrays.stream(used)
                        .mapToDouble(
                                member -> weights[member] / total * values[member][column][row])
                        .sum();
            case LOG_MEAN -> row -> Math.expm1(Arrays.stream(used)
                    .mapToDouble(member -> weights[member] / total * values[member][column][row])
                    .sum());
            case MEDIAN ->
                row -> median(used, weights, total, member -> values[member][column][row]);
            case VOTE -> row -> vote(used, weights, member -> values[member][column][row]);
        };
        return IntStream.range(0, values[used[0]][column].length)
                .mapToDouble(blended::applyAsDouble)
                .toArray();
    }

    /// The value with half of the weight on either side; between two, their mean.
    private static double median(
            int[] used,
            int[] weights,
            double total,
            ToDoubleFunction<Integer> value) {
        int[] sorted = Arrays.stream(used)
                .boxed()
                .sorted((one, other) -> Double.compare(value.applyAsDouble(one),
                        value.applyAsDouble(other)))
                .mapToInt(member -> member)
                .toArray();
        int below = 0;
        int i = 0;
        while (2.0 * (below + weights[sorted[i]]) < total) {
            below += weights[sorted[i++]];
        }
        double middle = value.applyAsDouble(sorted[i]);
        return 2.0 * (below + weights[sorted[i]]) == total
                ? middle / 2 + value.applyAsDouble(sorted[i + 1]) / 2
                : middle;
    }

    /// The label with most weight; the first member's among equals.
    private static double vote(int[] used, int[] weights, ToDoubleFunction<Integer> label) {
        double chosen = 0;
        int most = 0;
        for (int member : used) {
            double one = label.applyAsDouble(member);
            int votes = Arrays.stream(used)
                    .filter(other -> label.applyAsDouble(other) == one)
                    .map(other -> weights[other])
                    .sum();
            if (votes > most) {
                most = votes;
                chosen = one;
            }
        }
        return chosen;
    }

    /// Ranks from 0 to 1; equal values have their mean rank.
    static double[] ranks(double[] values) {
        Integer[] order = IntStream.range(0, values.length)
                .boxed()
                .sorted((one, other) -> Double.compare(values[one], values[other]))
                .toArray(Integer[]::new);
        double[] ranks = new double[values.length];
        for (int from = 0; from < order.length;) {
            int to = from;
            while (to < order.length && values[order[to]] == values[order[from]]) {
                to++;
            }
            double rank = (from + to - 1) / 2.0 / Math.max(1, values.length - 1);
            for (; from < to; from++) {
                ranks[order[from]] = rank;
            }
        }
        return ranks;
    }
}

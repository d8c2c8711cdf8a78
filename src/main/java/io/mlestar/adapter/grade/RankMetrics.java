package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Scores of orders: of rows by one column, or of the labels that were given for each row, the
/// likeliest first.
final class RankMetrics {
    private RankMetrics() {}

    /// The mean precision at each positive row, where rows come by falling scores; tied rows come
    /// at once.
    ///
    /// @param truth 0 or 1
    static WeightedScore averagePrecision(double[] truth, double[] scores) {
        Metrics.binary("average precision", truth);
        Metrics.finite(scores);
        int[] order = NumberMetrics.order(Arrays.stream(scores).map(score -> -score).toArray());
        return weights -> {
            double seen = 0;
            double positives = 0;
            double sum = 0;
            for (int from = 0, to = 0; from < order.length; from = to) {
                double gained = 0;
                for (; to < order.length && scores[order[to]] == scores[order[from]]; to++) {
                    seen += weights[order[to]];
                    gained += truth[order[to]] * weights[order[to]];
                }
                positives += gained;
                sum += gained > 0 ? gained * positives / seen : 0;
            }
            if (positives == 0) {
                throw new Invalid("average precision is not defined: no label is 1");
            }
            return sum / positives;
        };
    }

    /// Labels that belong to a row, and those that were given for it, the likeliest first.
    record Lists(List<List<String>> truth, List<List<String>> given) {
        private WeightedScore mean(RowScore score) {
            return Metrics.mean(truth.size(), row -> score.of(truth.get(row), given.get(row)));
        }
    }

    private interface RowScore {
        double of(List<String> truth, List<String> given);
    }

    /// Share of the rows with a label among the first that were given.
    static WeightedScore topAccuracy(int most, Lists lists) {
        return lists.mean(
                (truth, given) -> given.stream().limit(most).anyMatch(truth::contains) ? 1 : 0);
    }

    /// The mean precision at each right label among the first; one that is given again does not
    /// count.
    static WeightedScore averagePrecision(int most, Lists lists) {
        return lists.mean((truth, given) -> {
            double sum = 0;
            int right = 0;
            Set<String> seen = new HashSet<>();
            for (int place = 0; place < Math.min(most, given.size()); place++) {
                if (truth.contains(given.get(place)) && seen.add(given.get(place))) {
                    right++;
                    sum += right / (place + 1.0);
                }
            }
            return truth.isEmpty() ? 0 : sum / Math.min(most, new HashSet<>(truth).size());
        });
    }

    /// The gain of right labels, each worth less the later it comes, as a share of the best
    /// order's.
    static WeightedScore ndcg(int most, Lists lists) {
        return lists.mean((truth, given) -> {
            double gain = 0;
            Set<String> seen = new HashSet<>();
            for (int place = 0; place < Math.min(most, given.size()); place++) {
                gain += truth.contains(given.get(place)) && seen.add(given.get(place))
                        ? worth(place)
                        : 0;
            }
            double best = IntStream.range(0, Math.min(most, new HashSet<>(truth).size()))
                    .mapToDouble(RankMetrics::worth)
                    .sum();
            return best == 0 ? 0 : gain / best;
        });
    }

    private static double worth(int place) {
        return Math.log(2) / Math.log(place + 2.0);
    }
}

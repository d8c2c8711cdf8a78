package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/// Scores of numbers, as [Metrics] has them.
final class NumberMetrics {
    /// Smaller labels count as this for a relative error, as in scikit-learn.
    private static final double SMALLEST = Math.ulp(1.0);

    private NumberMetrics() {}

    static WeightedScore meanSquare(double[] truth, double[] predicted) {
        return Metrics.mean(truth.length, i -> square(predicted[i] - truth[i]));
    }

    /// The median of the absolute errors.
    static WeightedScore medianError(double[] truth, double[] predicted) {
        double[] errors = values(truth.length, i -> Math.abs(predicted[i] - truth[i]));
        int[] order = order(errors);
        return weights -> {
            double half = total(weights) / 2;
            int[] counted = Arrays.stream(order).filter(row -> weights[row] > 0).toArray();
            double below = 0;
            for (int place = 0;; place++) {
                below += weights[counted[place]];
                if (below > half || place == counted.length - 1) {
                    return errors[counted[place]];
                }
                if (below == half) {
                    return (errors[counted[place]] + errors[counted[place + 1]]) / 2;
                }
            }
        };
    }

    /// A share, not per cent.
    static WeightedScore mape(double[] truth, double[] predicted) {
        return Metrics.mean(truth.length,
                i -> Math.abs(predicted[i] - truth[i]) / Math.max(SMALLEST, Math.abs(truth[i])));
    }

    /// The SMAPE from 0 to 200, as competitions compute it; a zero that was predicted right has no
    /// error.
    static WeightedScore smape(double[] truth, double[] predicted) {
        return Metrics.mean(truth.length, i -> {
            double size = Math.abs(truth[i]) + Math.abs(predicted[i]);
            return size == 0 ? 0 : 200 * Math.abs(predicted[i] - truth[i]) / size;
        });
    }

    /// A share; rows whose label is 0 do not count.
    static WeightedScore rmspe(double[] truth, double[] predicted) {
        WeightedScore mean = Metrics.mean(truth.length,
                i -> truth[i] == 0 ? 0 : square(predicted[i] / truth[i] - 1));
        return weights -> {
            double[] counted = values(truth.length, i -> truth[i] == 0 ? 0 : weights[i]);
            return Math.sqrt(mean.score(counted));
        };
    }

    static WeightedScore r2(double[] truth, double[] predicted) {
        WeightedScore errors = meanSquare(truth, predicted);
        WeightedScore ofTruth = Metrics.mean(truth.length, i -> truth[i]);
        return weights -> {
            double mean = ofTruth.score(weights);
            double spread = Metrics.mean(truth.length, i -> square(truth[i] - mean)).score(weights);
            if (spread == 0) {
                throw new Invalid("R2 is not defined: the labels hold one value only");
            }
            return 1 - errors.score(weights) / spread;
        };
    }

    /// 0 where one value is predicted for all rows.
    static WeightedScore pearson(double[] truth, double[] predicted) {
        Metrics.finite(truth);
        Metrics.finite(predicted);
        return weights -> correlation(truth, predicted, weights);
    }

    /// Correlation of the ranks; 0 where one value is predicted for all rows.
    static WeightedScore spearman(double[] truth, double[] predicted) {
        Metrics.finite(truth);
        Metrics.finite(predicted);
        int[] byTruth = order(truth);
        int[] byPrediction = order(predicted);
        return weights -> correlation(ranks(truth, byTruth, weights),
                ranks(predicted, byPrediction, weights), weights);
    }

    /// A row of weight 2 stands for two rows.
    private static double[] ranks(double[] values, int[] order, double[] weights) {
        double[] ranks = new double[values.length];
        double below = 0;
        for (int from = 0, to = 0; from < order.length; from = to) {
            double tied = 0;
            for (; to < order.length && values[order[to]] == values[order[from]]; to++) {
                tied += weights[order[to]];
            }
            for (int place = from; place < to; place++) {
                ranks[order[place]] = below + tied / 2;
            }
            below += tied;
        }
        return ranks;
    }

    private static double correlation(double[] truth, double[] predicted, double[] weights) {
        double total = total(weights);
        double meanTruth = sum(truth.length, i -> weights[i] * truth[i]) / total;
        double meanPredicted = sum(truth.length, i -> weights[i] * predicted[i]) / total;
        double ofTruth = sum(truth.length, i -> weights[i] * square(truth[i] - meanTruth));
        double ofPredicted =
                sum(truth.length, i -> weights[i] * square(predicted[i] - meanPredicted));
        if (ofTruth == 0) {
            throw new Invalid("the correlation is not defined: the labels hold one value only");
        }
        if (ofPredicted == 0) {
            return 0;
        }
        double common = sum(truth.length,
                i -> weights[i] * (truth[i] - meanTruth) * (predicted[i] - meanPredicted));
        return common / Math.sqrt(ofTruth) / Math.sqrt(ofPredicted);
    }

    /// @param quantile that was to be predicted, between 0 and 1
    static WeightedScore pinball(double quantile, double[] truth, double[] predicted) {
        return Metrics.mean(truth.length, i -> {
            double above = truth[i] - predicted[i];
            return above >= 0 ? quantile * above : (quantile - 1) * above;
        });
    }

    /// Cohen's kappa of two ratings, a disagreement counting with its size.
    static WeightedScore linearKappa(double[] truth, double[] predicted) {
        WeightedScore seen = Metrics.mae(truth, predicted);
        double[] both = Arrays.stream(new double[][] {truth, predicted})
                .flatMapToDouble(Arrays::stream)
                .toArray();
        double[] levels =
                Arrays.stream(both).map(level -> level + 0.0).distinct().sorted().toArray();
        if (Arrays.stream(levels).anyMatch(level -> level != Math.rint(level))) {
            throw new Invalid("linear weighted kappa needs whole numbers");
        }
        return weights -> {
            double total = total(weights);
            double[] ofTruth = shares(levels, truth, weights, total);
            double[] ofPredicted = shares(levels, predicted, weights, total);
            double chance = 0;
            double trueBelow = 0;
            double predictedBelow = 0;
            // The mean distance of two draws is the sum, over all gaps, of the chance that the
            // draws lie on both sides.
            for (int level = 0; level + 1 < levels.length; level++) {
                trueBelow += ofTruth[level];
                predictedBelow += ofPredicted[level];
                chance += (levels[level + 1] - levels[level])
                        * (trueBelow * (1 - predictedBelow) + predictedBelow * (1 - trueBelow));
            }
            if (!(chance > 0)) {
                throw new Invalid(
                        "linear weighted kappa is not defined: labels and predictions hold one value only");
            }
            return 1 - seen.score(weights) / chance;
        };
    }

    private static double[] shares(
            double[] levels,
            double[] values,
            double[] weights,
            double total) {
        double[] shares = new double[levels.length];
        for (int row = 0; row < values.length; row++) {
            shares[Arrays.binarySearch(levels, values[row] + 0.0)] += weights[row] / total;
        }
        return shares;
    }

    static int[] order(double[] values) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> values[i] + 0.0))
                .mapToInt(i -> i)
                .toArray();
    }

    private static double[] values(int rows, IntToDoubleFunction value) {
        double[] values = IntStream.range(0, rows).mapToDouble(value).toArray();
        Metrics.finite(values);
        return values;
    }

    private static double total(double[] weights) {
        double total = Arrays.stream(weights).sum();
        if (!(total > 0)) {
            throw new Invalid("the score is not defined: there are no rows, or all weights are 0");
        }
        return total;
    }

    private static double sum(int rows, IntToDoubleFunction value) {
        return IntStream.range(0, rows).mapToDouble(value).sum();
    }

    private static double square(double value) {
        return value * value;
    }
}

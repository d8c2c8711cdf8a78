package io.mlestar.adapter.grade;

import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// The scores of competitions as pure functions. All arrays are of one length; a row of weight 0
/// does not count. A metric throws [Invalid] for values that it is not defined for. What does not
/// depend on the weights is reckoned once.
final class Metrics {
    /// A score of rows that are known, by how much each of them counts.
    interface WeightedScore {
        /// @param weights 0 or more, one for each row
        double score(double[] weights);

        /// The scores by several weights.
        ///
        /// @return not a number where it is not defined, as on rows of one class only
        default double[] scores(List<double[]> weights) {
            return weights.stream().mapToDouble(this::scoreOrNaN).toArray();
        }

        private double scoreOrNaN(double[] weights) {
            try {
                return score(weights);
            } catch (Invalid e) {
                return Double.NaN;
            }
        }
    }

    /// Probabilities are kept this far from 0 and 1, the precision of a double.
    private static final double CLIP = Math.ulp(1.0);

    private Metrics() {}

    /// Share of the pairs of one positive and one negative that are in the right order; a tie
    /// counts half.
    ///
    /// @param truth 0 or 1
    static WeightedScore rocAuc(double[] truth, double[] scores) {
        finite(scores);
        binary("ROC-AUC", truth);
        // Minus zero is zero.
        double[] values = Arrays.stream(scores).map(score -> score + 0.0).toArray();
        int[] order = NumberMetrics.order(values);
        return weights -> {
            double negatives = 0;
            double positives = 0;
            double pairs = 0;
            for (int from = 0, to = 0; from < order.length; from = to) {
                double[] tied = new double[2];
                for (; to < order.length && values[order[to]] == values[order[from]]; to++) {
                    tied[(int) truth[order[to]]] += weights[order[to]];
                }
                pairs += tied[1] * (negatives + tied[0] / 2);
                negatives += tied[0];
                positives += tied[1];
            }
            if (positives == 0 || negatives == 0) {
                throw new Invalid("ROC-AUC is not defined: the labels hold one class only");
            }
            return pairs / (positives * negatives);
        };
    }

    /// Mean of the negative logarithm of the probability that the true class was given.
    ///
    /// @param truth column of the true class
    /// @param probabilities by row and class, each row scaled to a sum of 1
    static WeightedScore logLoss(int[] truth, double[][] probabilities) {
        return mean(truth.length, i -> {
            for (double p : probabilities[i]) {
                if (!(p >= 0 && p <= 1)) {
                    throw new Invalid(
                            "log loss needs probabilities between 0 and 1, but one is " + p);
                }
            }
            double sum = Arrays.stream(probabilities[i]).map(Metrics::clipped).sum();
            return -Math.log(clipped(probabilities[i][truth[i]]) / sum);
        });
    }

    /// The [#logLoss] of one label, where a row may have several.
    ///
    /// @param truth 0 or 1
    static WeightedScore binaryLogLoss(double[] truth, double[] positive) {
        binary("log loss", truth);
        int[] classes = Arrays.stream(truth).mapToInt(label -> (int) label).toArray();
        return logLoss(classes,
                Arrays.stream(positive)
                        .mapToObj(p -> new double[] {1 - p, p})
                        .toArray(double[][]::new));
    }

    /// Mean squared difference of a label, 0 or 1, and its probability.
    static WeightedScore brier(double[] truth, double[] positive) {
        binary("Brier score", truth);
        return NumberMetrics.meanSquare(truth, positive);
    }

    /// The Gini coefficient: [#rocAuc] scaled to the range from -1 to 1.
    static WeightedScore gini(double[] truth, double[] scores) {
        WeightedScore area = rocAuc(truth, scores);
        return weights -> 2 * area.score(weights) - 1;
    }

    private static double clipped(double probability) {
        return Math.clamp(probability, CLIP, 1 - CLIP);
    }

    static WeightedScore mae(double[] truth, double[] predicted) {
        return mean(truth.length, i -> Math.abs(predicted[i] - truth[i]));
    }

    static WeightedScore rmse(double[] truth, double[] predicted) {
        WeightedScore square = NumberMetrics.meanSquare(truth, predicted);
        return weights -> Math.sqrt(square.score(weights));
    }

    /// The [#rmse] of the logarithms of one plus the values.
    static WeightedScore rmsle(double[] truth, double[] predicted) {
        if (DoubleStream.concat(Arrays.stream(truth), Arrays.stream(predicted))
                .anyMatch(value -> value < 0)) {
            throw new Invalid("RMSLE is not defined: a value is negative");
        }
        return rmse(Arrays.stream(truth).map(Math::log1p).toArray(),
                Arrays.stream(predicted).map(Math::log1p).toArray());
    }

    /// Cohen's kappa of two ratings, a disagreement counting with the square of its size.
    ///
    /// @param truth whole numbers
    /// @param predicted whole numbers
    static WeightedScore quadraticWeightedKappa(double[] truth, double[] predicted) {
        if (DoubleStream.concat(Arrays.stream(truth), Arrays.stream(predicted))
                .anyMatch(value -> value != Math.rint(value))) {
            throw new Invalid("quadratic weighted kappa needs whole numbers");
        }
        WeightedScore seen = NumberMetrics.meanSquare(truth, predicted);
        WeightedScore ofTruth = mean(truth.length, i -> truth[i]);
        WeightedScore ofPredicted = mean(truth.length, i -> predicted[i]);
        return weights -> {
            double meanTruth = ofTruth.score(weights);
            double meanPredicted = ofPredicted.score(weights);
            // The disagreement that chance would give: the mean squared difference of two
            // independent draws.
            double chance = mean(truth.length, i -> (truth[i] - meanTruth) * (truth[i] - meanTruth)
                    + (predicted[i] - meanPredicted) * (predicted[i] - meanPredicted))
                    .score(weights)
                    + (meanTruth - meanPredicted) * (meanTruth - meanPredicted);
            if (chance == 0) {
                throw new Invalid(
                        "quadratic weighted kappa is not defined: labels and predictions hold one value only");
            }
            return 1 - seen.score(weights) / chance;
        };
    }

    static WeightedScore mean(int rows, IntToDoubleFunction value) {
        double[] values = IntStream.range(0, rows).mapToDouble(value).toArray();
        finite(values);
        return weights -> {
            double total = Arrays.stream(weights).sum();
            if (!(total > 0)) {
                throw new Invalid("the score is not defined: "
                        + (weights.length == 0 ? "there are no rows" : "all weights are 0"));
            }
            return IntStream.range(0, rows).mapToDouble(i -> weights[i] * values[i]).sum() / total;
        };
    }

    static void binary(String metric, double[] truth) {
        if (!Arrays.stream(truth).allMatch(label -> label == 0 || label == 1)) {
            throw new Invalid(metric + " needs labels 0 and 1");
        }
    }

    static void finite(double[] values) {
        if (!Arrays.stream(values).allMatch(Double::isFinite)) {
            throw new Invalid(
                    "the score is not defined: a value, or its square, is too large or not a finite number");
        }
    }
}

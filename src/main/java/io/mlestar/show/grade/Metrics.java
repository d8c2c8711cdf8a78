package io.mlestar.show.grade;

import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/// The scores of competitions as pure functions. All arrays are of one length; a row of weight 0 does not count. What a
/// metric is not defined for is refused with [Invalid] in one line.
final class Metrics {
    /// Probabilities are kept this far from 0 and 1, the precision of a double.
    private static final double CLIP = Math.ulp(1.0);

    private Metrics() {}

    /// Share of the pairs of one positive and one negative that are in the right order; a tie counts half.
    ///
    /// @param truth 0 or 1
    static double rocAuc(double[] truth, double[] scores, double[] weights) {
        finite(truth, scores);
        Integer[] order = IntStream.range(0, scores.length).boxed().sorted(Comparator.comparingDouble(i -> scores[i])).toArray(Integer[]::new);
        double below = 0;
        double positives = 0;
        double pairs = 0;
        for (int start = 0, end; start < order.length; start = end) {
            double tiedPositives = 0;
            double tiedNegatives = 0;
            for (end = start; end < order.length && scores[order[end]] == scores[order[start]]; end++) {
                double label = binary("ROC-AUC", truth[order[end]]);
                tiedPositives += label * weights[order[end]];
                tiedNegatives += (1 - label) * weights[order[end]];
            }
            pairs += tiedPositives * (below + tiedNegatives / 2);
            below += tiedNegatives;
            positives += tiedPositives;
        }
        if (positives == 0 || below == 0) {
            throw new Invalid("ROC-AUC is not defined: the labels hold one class only");
        }
        return pairs / (positives * below);
    }

    /// Mean of the negative logarithm of the probability that the true class was given.
    ///
    /// @param truth column of the true class
    /// @param probabilities by row and class, each row scaled to a sum of 1
    static double logLoss(int[] truth, double[][] probabilities, double[] weights) {
        double loss = 0;
        for (int i = 0; i < truth.length; i++) {
            double sum = 0;
            for (double p : probabilities[i]) {
                if (!(p >= 0 && p <= 1)) {
                    throw new Invalid("log loss needs probabilities between 0 and 1, but one is " + p);
                }
                sum += Math.clamp(p, CLIP, 1 - CLIP);
            }
            loss -= weights[i] * Math.log(Math.clamp(probabilities[i][truth[i]], CLIP, 1 - CLIP) / sum);
        }
        return loss / total(weights);
    }

    static double mae(double[] truth, double[] predicted, double[] weights) {
        return meanOfErrors(truth, predicted, weights, Math::abs);
    }

    static double rmse(double[] truth, double[] predicted, double[] weights) {
        return Math.sqrt(meanOfErrors(truth, predicted, weights, error -> error * error));
    }

    /// As [#rmse], of the logarithms of one plus the values.
    static double rmsle(double[] truth, double[] predicted, double[] weights) {
        if (Arrays.stream(truth).anyMatch(value -> value < 0) || Arrays.stream(predicted).anyMatch(value -> value < 0)) {
            throw new Invalid("RMSLE is not defined: a value is negative");
        }
        return rmse(Arrays.stream(truth).map(Math::log1p).toArray(), Arrays.stream(predicted).map(Math::log1p).toArray(), weights);
    }

    private static double meanOfErrors(double[] truth, double[] predicted, double[] weights, DoubleUnaryOperator loss) {
        finite(truth, predicted);
        return IntStream.range(0, truth.length).mapToDouble(i -> weights[i] * loss.applyAsDouble(predicted[i] - truth[i])).sum()
                / total(weights);
    }

    static double accuracy(String[] truth, String[] predicted, double[] weights) {
        return IntStream.range(0, truth.length).filter(i -> truth[i].equals(predicted[i])).mapToDouble(i -> weights[i]).sum()
                / total(weights);
    }

    /// Harmonic mean of precision and recall of one class; 0 if it is never right.
    static double f1(String positive, String[] truth, String[] predicted, double[] weights) {
        double hits = 0;
        double both = 0;
        for (int i = 0; i < truth.length; i++) {
            boolean is = truth[i].equals(positive);
            boolean said = predicted[i].equals(positive);
            hits += is && said ? weights[i] : 0;
            both += (is ? weights[i] : 0) + (said ? weights[i] : 0);
        }
        return hits == 0 ? 0 : 2 * hits / both;
    }

    /// Mean of the classes' F1, each class counting the same, also one that was only predicted.
    static double macroF1(String[] truth, String[] predicted, double[] weights) {
        SortedSet<String> classes = new TreeSet<>(Arrays.asList(truth));
        classes.addAll(Arrays.asList(predicted));
        return classes.stream().mapToDouble(one -> f1(one, truth, predicted, weights)).average()
                .orElseThrow(() -> new Invalid("F1 is not defined: there are no rows"));
    }

    /// Cohen's kappa of two ratings, a disagreement counting with the square of its size.
    ///
    /// @param truth whole numbers
    /// @param predicted whole numbers
    static double quadraticWeightedKappa(double[] truth, double[] predicted, double[] weights) {
        finite(truth, predicted);
        if (!Arrays.stream(truth).allMatch(value -> value == Math.rint(value))
                || !Arrays.stream(predicted).allMatch(value -> value == Math.rint(value))) {
            throw new Invalid("quadratic weighted kappa needs whole numbers");
        }
        double seen = meanOfErrors(truth, predicted, weights, error -> error * error);
        double meanTruth = mean(truth, weights);
        double meanPredicted = mean(predicted, weights);
        // What chance would give: the mean squared difference of two independent draws.
        double chance = variance(truth, meanTruth, weights) + variance(predicted, meanPredicted, weights)
                + (meanTruth - meanPredicted) * (meanTruth - meanPredicted);
        if (chance == 0) {
            throw new Invalid("quadratic weighted kappa is not defined: labels and predictions hold one value only");
        }
        return 1 - seen / chance;
    }

    private static double mean(double[] values, double[] weights) {
        return IntStream.range(0, values.length).mapToDouble(i -> weights[i] * values[i]).sum() / total(weights);
    }

    private static double variance(double[] values, double mean, double[] weights) {
        return mean(Arrays.stream(values).map(value -> (value - mean) * (value - mean)).toArray(), weights);
    }

    private static double total(double[] weights) {
        double total = Arrays.stream(weights).sum();
        if (!(total > 0)) {
            throw new Invalid("the score is not defined: " + (weights.length == 0 ? "there are no rows" : "all weights are 0"));
        }
        return total;
    }

    private static double binary(String metric, double label) {
        if (label != 0 && label != 1) {
            throw new Invalid(metric + " needs labels 0 and 1, but one is " + label);
        }
        return label;
    }

    private static void finite(double[] truth, double[] predicted) {
        if (!Arrays.stream(truth).allMatch(Double::isFinite) || !Arrays.stream(predicted).allMatch(Double::isFinite)) {
            throw new Invalid("the score is not defined: a value is not a finite number");
        }
    }
}

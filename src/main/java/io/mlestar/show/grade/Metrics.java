package io.mlestar.show.grade;

import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// The scores of competitions as pure functions. All arrays are of one length; a row of weight 0 does not count. A
/// metric throws [Invalid] for values that it is not defined for.
final class Metrics {
    /// Probabilities are kept this far from 0 and 1, the precision of a double.
    private static final double CLIP = Math.ulp(1.0);

    private Metrics() {}

    /// Share of the pairs of one positive and one negative that are in the right order; a tie counts half.
    ///
    /// @param truth 0 or 1
    static double rocAuc(double[] truth, double[] scores, double[] weights) {
        finite(scores);
        if (!Arrays.stream(truth).allMatch(label -> label == 0 || label == 1)) {
            throw new Invalid("ROC-AUC needs labels 0 and 1");
        }
        SortedMap<Double, double[]> byScore = new TreeMap<>();
        for (int i = 0; i < scores.length; i++) {
            // Minus zero is zero.
            byScore.computeIfAbsent(scores[i] + 0.0, score -> new double[2])[(int) truth[i]] += weights[i];
        }
        double negatives = 0;
        double positives = 0;
        double pairs = 0;
        for (double[] tied : byScore.values()) {
            pairs += tied[1] * (negatives + tied[0] / 2);
            negatives += tied[0];
            positives += tied[1];
        }
        if (positives == 0 || negatives == 0) {
            throw new Invalid("ROC-AUC is not defined: the labels hold one class only");
        }
        return pairs / (positives * negatives);
    }

    /// Mean of the negative logarithm of the probability that the true class was given.
    ///
    /// @param truth column of the true class
    /// @param probabilities by row and class, each row scaled to a sum of 1
    static double logLoss(int[] truth, double[][] probabilities, double[] weights) {
        return mean(weights, i -> {
            for (double p : probabilities[i]) {
                if (!(p >= 0 && p <= 1)) {
                    throw new Invalid("log loss needs probabilities between 0 and 1, but one is " + p);
                }
            }
            double sum = Arrays.stream(probabilities[i]).map(Metrics::clipped).sum();
            return -Math.log(clipped(probabilities[i][truth[i]]) / sum);
        });
    }

    private static double clipped(double probability) {
        return Math.clamp(probability, CLIP, 1 - CLIP);
    }

    static double mae(double[] truth, double[] predicted, double[] weights) {
        return mean(weights, i -> Math.abs(predicted[i] - truth[i]));
    }

    static double rmse(double[] truth, double[] predicted, double[] weights) {
        return Math.sqrt(meanSquare(truth, predicted, weights));
    }

    private static double meanSquare(double[] truth, double[] predicted, double[] weights) {
        return mean(weights, i -> (predicted[i] - truth[i]) * (predicted[i] - truth[i]));
    }

    /// As [#rmse], of the logarithms of one plus the values.
    static double rmsle(double[] truth, double[] predicted, double[] weights) {
        if (DoubleStream.concat(Arrays.stream(truth), Arrays.stream(predicted)).anyMatch(value -> value < 0)) {
            throw new Invalid("RMSLE is not defined: a value is negative");
        }
        return rmse(Arrays.stream(truth).map(Math::log1p).toArray(), Arrays.stream(predicted).map(Math::log1p).toArray(), weights);
    }

    static double accuracy(String[] truth, String[] predicted, double[] weights) {
        return mean(weights, i -> truth[i].equals(predicted[i]) ? 1 : 0);
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
        if (DoubleStream.concat(Arrays.stream(truth), Arrays.stream(predicted)).anyMatch(value -> value != Math.rint(value))) {
            throw new Invalid("quadratic weighted kappa needs whole numbers");
        }
        double seen = meanSquare(truth, predicted, weights);
        double meanTruth = mean(weights, i -> truth[i]);
        double meanPredicted = mean(weights, i -> predicted[i]);
        // What chance would give: the mean squared difference of two independent draws.
        double chance = mean(weights, i -> (truth[i] - meanTruth) * (truth[i] - meanTruth) + (predicted[i] - meanPredicted) * (predicted[i] - meanPredicted))
                + (meanTruth - meanPredicted) * (meanTruth - meanPredicted);
        if (chance == 0) {
            throw new Invalid("quadratic weighted kappa is not defined: labels and predictions hold one value only");
        }
        return 1 - seen / chance;
    }

    private static double mean(double[] weights, IntToDoubleFunction value) {
        double total = Arrays.stream(weights).sum();
        if (!(total > 0)) {
            throw new Invalid("the score is not defined: " + (weights.length == 0 ? "there are no rows" : "all weights are 0"));
        }
        double[] values = IntStream.range(0, weights.length).mapToDouble(value).toArray();
        finite(values);
        return IntStream.range(0, weights.length).mapToDouble(i -> weights[i] * values[i]).sum() / total;
    }

    private static void finite(double[] values) {
        if (!Arrays.stream(values).allMatch(Double::isFinite)) {
            throw new Invalid("the score is not defined: a value is not a finite number");
        }
    }
}

package io.mlestar.adapter.grade;

import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Scores of classes, all of them by how often each class was right, was the label, and was
/// predicted.
final class ClassMetrics {
    private ClassMetrics() {}

    /// The ways to average the scores of the classes.
    enum Average {
        BINARY, MICRO, MACRO, WEIGHTED
    }

    /// Sums of weights, one for each class.
    ///
    /// @param hits of the rows of a class that were taken for it
    /// @param truth of the rows of a class
    /// @param predicted of the rows that were taken for it
    /// @param rows sum of all weights
    record Counts(double[] hits, double[] truth, double[] predicted, double rows) {
        private Counts(int classes, double rows) {
            this(new double[classes], new double[classes], new double[classes], rows);
        }

        private IntStream classes(IntPredicate which) {
            return IntStream.range(0, hits.length).filter(which);
        }

        /// The mean over the classes that rows have or were given: a resample may lack one.
        private double mean(IntPredicate which, IntToDoubleFunction score) {
            return classes(which).mapToDouble(score).average().orElseThrow(ClassMetrics::undefined);
        }

        private double sum(IntToDoubleFunction value) {
            return IntStream.range(0, hits.length).mapToDouble(value).sum();
        }

        private boolean occurs(int one) {
            return truth[one] + predicted[one] > 0;
        }
    }

    /// Counts the rows of each class under weights of the rows.
    interface Counting {
        Counts count(double[] weights);
    }

    /// Each row is of one class.
    ///
    /// @param first the classes that are counted first, whether or not they occur
    static Counting ofClasses(List<String> first, String[] truth, String[] predicted) {
        Map<String, Integer> places = new HashMap<>();
        first.forEach(one -> places.put(one, places.size()));
        int[] is = Arrays.stream(truth)
                .mapToInt(one -> places.computeIfAbsent(one, _ -> places.size()))
                .toArray();
        int[] was = Arrays.stream(predicted)
                .mapToInt(one -> places.computeIfAbsent(one, _ -> places.size()))
                .toArray();
        return weights -> {
            Counts counts = new Counts(places.size(), total(weights));
            for (int row = 0; row < is.length; row++) {
                counts.truth[is[row]] += weights[row];
                counts.predicted[was[row]] += weights[row];
                counts.hits[is[row]] += is[row] == was[row] ? weights[row] : 0;
            }
            return counts;
        };
    }

    /// Each column is a class, and a row is of all whose label is 1.
    ///
    /// @param truth by column and row, 0 or 1
    static Counting ofLabels(String[][] truth, String[][] predicted) {
        return weights -> {
            Counts counts = new Counts(truth.length, total(weights));
            for (int column = 0; column < truth.length; column++) {
                for (int row = 0; row < weights.length; row++) {
                    boolean is = truth[column][row].equals("1");
                    boolean was = predicted[column][row].equals("1");
                    counts.truth[column] += is ? weights[row] : 0;
                    counts.predicted[column] += was ? weights[row] : 0;
                    counts.hits[column] += is && was ? weights[row] : 0;
                }
            }
            return counts;
        };
    }

    private static double total(double[] weights) {
        double rows = Arrays.stream(weights).sum();
        if (!(rows > 0)) {
            throw undefined();
        }
        return rows;
    }

    private static Invalid undefined() {
        return new Invalid("the score is not defined: there are no rows, or all weights are 0");
    }

    static double accuracy(Counts counts) {
        return counts.sum(one -> counts.hits[one]) / counts.rows;
    }

    /// The mean share of the rows of a class that were taken for it.
    static double balancedAccuracy(Counts counts) {
        return counts.mean(one -> counts.truth[one] > 0,
                one -> counts.hits[one] / counts.truth[one]);
    }

    /// Matthews' correlation of any number of classes; 0 where one class alone is predicted.
    static double mcc(Counts counts) {
        double right = counts.sum(one -> counts.hits[one]);
        double chance = counts.sum(one -> counts.truth[one] * counts.predicted[one]);
        double ofTruth = counts.rows * counts.rows
                - counts.sum(one -> counts.truth[one] * counts.truth[one]);
        double ofPredicted =
                counts.rows * counts.rows
                        - counts.sum(one -> counts.predicted[one] * counts.predicted[one]);
        boolean isConstant = ofTruth <= 0 || ofPredicted <= 0;
        return isConstant
                ? 0
                : (right * counts.rows - chance) / Math.sqrt(ofTruth) / Math.sqrt(ofPredicted);
    }

    /// Cohen's kappa, in which all disagreements are alike.
    static double kappa(Counts counts) {
        double chance = counts.sum(
                one -> counts.truth[one] / counts.rows * (counts.predicted[one] / counts.rows));
        if (!(chance < 1)) {
            throw new Invalid(
                    "Cohen's kappa is not defined: labels and predictions hold one value only");
        }
        return (accuracy(counts) - chance) / (1 - chance);
    }

    /// The weighted harmonic mean of precision and recall.
    ///
    /// @param beta how much more recall counts
    static ToDoubleFunction<Counts> fBeta(double beta, Average average) {
        double square = beta * beta;
        return counts -> average(counts, average,
                (hits, truth, predicted) -> (1 + square) * hits / (square * truth + predicted));
    }

    /// The rows with a class as label and as prediction, as a share of those with it as either.
    static ToDoubleFunction<Counts> jaccard(Average average) {
        return counts -> average(counts, average,
                (hits, truth, predicted) -> hits / (truth + predicted - hits));
    }

    private interface Share {
        /// Not a number where nothing is counted.
        double of(double hits, double truth, double predicted);
    }

    /// Binary is the first class. Where nothing is counted the score is 0.
    private static double average(Counts counts, Average average, Share share) {
        IntToDoubleFunction each =
                one -> counts.occurs(one)
                        ? share.of(counts.hits[one], counts.truth[one], counts.predicted[one])
                        : 0;
        double labels = counts.sum(one -> counts.truth[one]);
        return switch (average) {
            case BINARY -> each.applyAsDouble(0);
            case MACRO -> counts.mean(counts::occurs, each);
            case WEIGHTED -> labels > 0
                    ? counts.sum(one -> counts.truth[one] * each.applyAsDouble(one)) / labels
                    : 0;
            case MICRO -> {
                double found = counts.sum(one -> counts.predicted[one]);
                yield labels + found > 0
                        ? share.of(counts.sum(one -> counts.hits[one]), labels, found)
                        : 0;
            }
        };
    }
}

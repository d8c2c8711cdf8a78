package io.mlestar.show.grade;

import io.mlestar.core.base.Invalid;
import io.mlestar.show.render.Formats;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;

/// Brings a submission and its labels into the form that a metric takes.
///
/// @param predicted the submission's rows in the order of the labels
/// @param weights of the labels' rows
record Grading(Metric metric, Table submission, List<Table.Row> predicted, Table labels, List<Table.Row> truth, double[] weights) {
    double score() {
        return switch (metric) {
            case ROC_AUC -> byColumn((is, said) -> Metrics.rocAuc(is, said, weights));
            case RMSE -> byColumn((is, said) -> Metrics.rmse(is, said, weights));
            case RMSLE -> byColumn((is, said) -> Metrics.rmsle(is, said, weights));
            case MAE -> byColumn((is, said) -> Metrics.mae(is, said, weights));
            case QWK -> byColumn((is, said) -> Metrics.quadraticWeightedKappa(is, said, weights));
            case ACCURACY -> Metrics.accuracy(classes(truth, target()), classes(predicted, 1), weights);
            case MACRO_F1 -> Metrics.macroF1(classes(truth, target()), classes(predicted, 1), weights);
            case F1 -> binaryF1();
            case LOG_LOSS -> logLoss();
        };
    }

    /// The mean over the submission's columns, as competitions with several targets are scored.
    private double byColumn(ToDoubleBiFunction<double[], double[]> score) {
        return IntStream.range(1, submission.header().size()).mapToDouble(column -> {
            int label = labels.column(submission.header().get(column));
            if (label < 0) {
                throw new Invalid(labels.what() + " has no column " + submission.header().get(column));
            }
            return score.applyAsDouble(numbers(labels, truth, label), numbers(submission, predicted, column));
        }).average().orElseThrow(() -> new Invalid(submission.what() + " has no column besides the id"));
    }

    private double binaryF1() {
        String[] is = classes(truth, target());
        if (!java.util.Arrays.stream(is).allMatch(label -> label.equals("0") || label.equals("1"))) {
            throw new Invalid("F1 needs labels 0 and 1, or true and false; for other classes the metric is macro F1");
        }
        return Metrics.f1("1", is, classes(predicted, 1), weights);
    }

    /// One column of probabilities for the class 1, or one for each class, with its name.
    private double logLoss() {
        int target = target();
        String[] is = classes(truth, target);
        int columns = submission.header().size() - 1;
        List<String> names = columns == 1 ? List.of("0", "1") : submission.header().subList(1, columns + 1).stream().map(Grading::label).toList();
        int[] indices = IntStream.range(0, is.length).map(i -> {
            int index = names.indexOf(is[i]);
            if (index < 0) {
                throw new Invalid(labels.what() + ", line " + truth.get(i).line() + ": \"" + Formats.line(is[i], 40)
                        + "\" is none of the classes " + Formats.line(String.join(", ", names), 120));
            }
            return index;
        }).toArray();
        double[][] probabilities = new double[is.length][];
        for (int i = 0; i < is.length; i++) {
            List<String> fields = predicted.get(i).fields();
            double[] given = IntStream.rangeClosed(1, columns).mapToDouble(column -> Submissions.number(fields.get(column))).toArray();
            probabilities[i] = columns == 1 ? new double[] {1 - given[0], given[0]} : given;
        }
        return Metrics.logLoss(indices, probabilities, weights);
    }

    /// The labels' column of the submission's target, or the one after the id.
    private int target() {
        int named = submission.header().size() == 2 ? labels.column(submission.header().get(1)) : -1;
        if (named < 0 && labels.header().size() < 2) {
            throw new Invalid(labels.what() + " has no column besides the id");
        }
        return named < 0 ? 1 : named;
    }

    private static double[] numbers(Table table, List<Table.Row> rows, int column) {
        return rows.stream().mapToDouble(row -> {
            double number = Submissions.number(label(row.fields().get(column)));
            if (!Double.isFinite(number)) {
                throw new Invalid(table.what() + ", line " + row.line() + ": \"" + Formats.line(row.fields().get(column), 40)
                        + "\" is no finite number");
            }
            return number;
        }).toArray();
    }

    private static String[] classes(List<Table.Row> rows, int column) {
        return rows.stream().map(row -> label(row.fields().get(column))).toArray(String[]::new);
    }

    /// One form for `1`, `1.0` and `True`.
    private static String label(String text) {
        String plain = text.strip();
        return switch (plain.toLowerCase(Locale.ROOT)) {
            case "true" -> "1";
            case "false" -> "0";
            default -> {
                double number = Submissions.number(plain);
                yield number == Math.rint(number) && Math.abs(number) < 1e15 ? String.valueOf((long) number) : plain;
            }
        };
    }
}

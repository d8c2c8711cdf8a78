package io.mlestar.show.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Invalid;
import io.mlestar.show.render.Formats;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Brings a submission and its labels into the form that a metric takes.
///
/// @param predicted the submission's rows in the order of the labels
/// @param weights of the labels' rows
record Grading(Table submission, List<CsvRecord> predicted, Table labels, List<CsvRecord> truth, double[] weights) {
    /// A score of one column; as competitions with several targets are scored, the mean over the submission's columns counts.
    interface Numbers {
        double score(double[] truth, double[] predicted, double[] weights);
    }

    /// A score of classes.
    interface Classes {
        double score(String[] truth, String[] predicted, double[] weights);
    }

    static ToDoubleFunction<Grading> byColumn(Numbers metric) {
        return grading -> IntStream.range(1, grading.submission.header().size()).mapToDouble(column -> grading.column(column, metric))
                .average().orElseThrow(() -> new Invalid(grading.submission.what() + " has no column besides the id"));
    }

    private double column(int column, Numbers metric) {
        int label = labels.column(submission.header().get(column));
        if (label < 0) {
            throw new Invalid(labels.what() + " has no column " + submission.header().get(column));
        }
        return metric.score(numbers(labels, truth, label), numbers(submission, predicted, column), weights);
    }

    static ToDoubleFunction<Grading> byClass(Classes metric) {
        return grading -> metric.score(classes(grading.truth, grading.target()), classes(grading.predicted, 1), grading.weights);
    }

    double binaryF1() {
        String[] is = classes(truth, target());
        if (!Arrays.stream(is).allMatch(label -> label.equals("0") || label.equals("1"))) {
            throw new Invalid("F1 needs labels 0 and 1, or true and false; for other classes the metric is macro F1");
        }
        return Metrics.f1("1", is, classes(predicted, 1), weights);
    }

    /// One column of probabilities for the class 1, or one for each class, with its name.
    double logLoss() {
        int target = target();
        String[] is = classes(truth, target);
        int columns = submission.header().size() - 1;
        List<String> names = columns == 1 ? List.of("0", "1") : submission.header().subList(1, columns + 1).stream().map(Grading::label).toList();
        int[] indices = IntStream.range(0, is.length).map(i -> {
            int index = names.indexOf(is[i]);
            if (index < 0) {
                throw new Invalid(labels.what() + ", " + Table.line(truth.get(i)) + ": \"" + Formats.line(is[i], 40)
                        + "\" is none of the classes " + Formats.line(String.join(", ", names), 120));
            }
            return index;
        }).toArray();
        double[][] probabilities = new double[is.length][];
        for (int i = 0; i < is.length; i++) {
            List<String> fields = predicted.get(i).getFields();
            double[] given = fields.stream().skip(1).mapToDouble(Submissions::number).toArray();
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

    private static double[] numbers(Table table, List<CsvRecord> rows, int column) {
        return rows.stream().mapToDouble(row -> {
            double number = Submissions.number(label(row.getField(column)));
            if (!Double.isFinite(number)) {
                throw new Invalid(table.what() + ", " + Table.line(row) + ": \"" + Formats.line(row.getField(column), 40)
                        + "\" is no finite number");
            }
            return number;
        }).toArray();
    }

    private static String[] classes(List<CsvRecord> rows, int column) {
        return rows.stream().map(row -> label(row.getField(column))).toArray(String[]::new);
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

package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.adapter.grade.Metrics.Weighted;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Brings labels into the form that a metric takes, once for any number of predictions.
///
/// @param labels the table that `truth` is of
/// @param truth the rows that count
/// @param columns of the submissions, besides the id
record Grading(Table labels, List<CsvRecord> truth, List<String> columns) {
    /// What was predicted for the rows that count.
    interface Predicted {
        /// @param column of the submission, besides the id, from 0
        double[] numbers(int column);

        /// Of the submission's first column.
        String[] classes();
    }

    /// A submission's own rows, in the order of the labels.
    record Submitted(Table submission, List<CsvRecord> rows) implements Predicted {
        @Override
        public double[] numbers(int column) {
            return Grading.numbers(submission, rows, submission.firstValue() + column);
        }

        @Override
        public String[] classes() {
            return Grading.classes(submission, rows, submission.firstValue());
        }
    }

    /// A score of one column; as competitions with several targets are scored, the mean over the submission's columns counts.
    interface Numbers {
        Weighted score(double[] truth, double[] predicted);
    }

    /// A score of classes.
    interface Classes {
        Weighted score(String[] truth, String[] predicted);
    }

    Grading {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new Invalid("the submission has no column besides the id");
        }
    }

    static Function<Grading, Function<Predicted, Weighted>> byColumn(Numbers metric) {
        return grading -> {
            List<double[]> truth = grading.columns.stream().map(grading::column).toList();
            return predicted -> {
                List<Weighted> scores = IntStream.range(0, truth.size()).mapToObj(i -> metric.score(truth.get(i), predicted.numbers(i))).toList();
                return weights -> scores.stream().mapToDouble(score -> score.score(weights)).average().orElseThrow();
            };
        };
    }

    private double[] column(String name) {
        int label = labels.column(name);
        if (label < 0) {
            throw new Invalid(labels.what() + " has no column " + name);
        }
        return numbers(labels, truth, label);
    }

    static Function<Grading, Function<Predicted, Weighted>> byClass(Classes metric) {
        return grading -> {
            String[] truth = classes(grading.labels, grading.truth, grading.target());
            return predicted -> metric.score(truth, predicted.classes());
        };
    }

    Function<Predicted, Weighted> binaryF1() {
        String[] is = classes(labels, truth, target());
        if (!Arrays.stream(is).allMatch(label -> label.equals("0") || label.equals("1"))) {
            throw new Invalid("F1 needs labels 0 and 1, or true and false; for other classes the metric is macro F1");
        }
        return predicted -> Metrics.f1("1", is, predicted.classes());
    }

    /// One column of probabilities for the class 1, or one for each class, with its name.
    Function<Predicted, Weighted> logLoss() {
        String[] is = classes(labels, truth, target());
        List<String> names = columns.size() == 1 ? List.of("0", "1") : columns.stream().map(Grading::label).toList();
        int[] indices = IntStream.range(0, is.length).map(i -> {
            int index = names.indexOf(is[i]);
            if (index < 0) {
                throw new Invalid(labels.what() + ", " + Table.line(truth.get(i)) + ": \"" + Excerpt.line(is[i], 40)
                        + "\" is none of the classes " + Excerpt.line(String.join(", ", names), 120));
            }
            return index;
        }).toArray();
        return predicted -> {
            double[][] given = IntStream.range(0, columns.size()).mapToObj(predicted::numbers).toArray(double[][]::new);
            double[][] probabilities = IntStream.range(0, is.length).mapToObj(i -> given.length == 1 ? new double[] {1 - given[0][i], given[0][i]}
                    : Arrays.stream(given).mapToDouble(column -> column[i]).toArray()).toArray(double[][]::new);
            return Metrics.logLoss(indices, probabilities);
        };
    }

    /// The labels' column of the submission's target, or the one after the id.
    private int target() {
        int named = columns.size() == 1 ? labels.column(columns.getFirst()) : -1;
        if (named < 0 && labels.columns().isEmpty()) {
            throw new Invalid(labels.what() + " has no column besides the id");
        }
        return named < 0 ? labels.firstValue() : named;
    }

    private static double[] numbers(Table table, List<CsvRecord> rows, int column) {
        return rows.stream().mapToDouble(row -> {
            double number = table.number(row, column);
            if (!Double.isFinite(number)) {
                throw new Invalid(table.what() + ", " + Table.line(row) + ": \"" + Excerpt.line(row.getField(column), 40)
                        + "\" is no finite number");
            }
            return number;
        }).toArray();
    }

    private static String[] classes(Table table, List<CsvRecord> rows, int column) {
        return rows.stream().map(row -> table.label(row, column)).toArray(String[]::new);
    }

    /// One form for `1`, `1.0` and `True`.
    static String label(String text) {
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

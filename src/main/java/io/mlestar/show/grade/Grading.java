package io.mlestar.show.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Invalid;
import io.mlestar.show.render.Formats;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Brings a submission and its labels into the form that a metric takes.
///
/// @param predicted the submission's fields in the order of the labels
record Grading(Table submission, List<List<String>> predicted, Table labels, List<CsvRecord> truth) {
    /// A metric of one submission: takes the weights of the labels' rows, so that a resample costs no reading.
    interface Score extends ToDoubleFunction<double[]> {}

    /// @throws Invalid if the submission lacks an id of the labels
    static Grading of(Table submission, Table labels) {
        List<List<String>> predicted = labels.rows().keySet().stream().map(id -> {
            if (!submission.rows().containsKey(id)) {
                throw new Invalid(submission.what() + " has no row for id " + Formats.line(id, 40) + " of the labels");
            }
            return submission.rows().get(id).getFields();
        }).toList();
        return new Grading(submission, predicted, labels, List.copyOf(labels.rows().values()));
    }

    /// The same with other predictions for the same rows.
    Grading with(List<List<String>> others) {
        return new Grading(submission, others, labels, truth);
    }

    /// A score of one column; as competitions with several targets are scored, the mean over the submission's columns counts.
    interface Numbers {
        double score(double[] truth, double[] predicted, double[] weights);
    }

    /// A score of classes.
    interface Classes {
        double score(String[] truth, String[] predicted, double[] weights);
    }

    static Function<Grading, Score> byColumn(Numbers metric) {
        return grading -> {
            List<Score> columns = IntStream.range(1, grading.submission.header().size()).mapToObj(column -> grading.column(column, metric)).toList();
            return weights -> columns.stream().mapToDouble(column -> column.applyAsDouble(weights)).average()
                    .orElseThrow(() -> new Invalid(grading.submission.what() + " has no column besides the id"));
        };
    }

    private Score column(int column, Numbers metric) {
        int label = labels.column(submission.header().get(column));
        if (label < 0) {
            throw new Invalid(labels.what() + " has no column " + submission.header().get(column));
        }
        double[] is = numbers(labels, truth.stream().map(CsvRecord::getFields).toList(), label);
        double[] said = numbers(submission, predicted, column);
        return weights -> metric.score(is, said, weights);
    }

    static Function<Grading, Score> byClass(Classes metric) {
        return grading -> {
            String[] is = grading.classes();
            String[] said = classes(grading.predicted, 1);
            return weights -> metric.score(is, said, weights);
        };
    }

    /// The true ones.
    private String[] classes() {
        return classes(truth.stream().map(CsvRecord::getFields).toList(), target());
    }

    Score binaryF1() {
        String[] is = classes();
        if (!Arrays.stream(is).allMatch(label -> label.equals("0") || label.equals("1"))) {
            throw new Invalid("F1 needs labels 0 and 1, or true and false; for other classes the metric is macro F1");
        }
        String[] said = classes(predicted, 1);
        return weights -> Metrics.f1("1", is, said, weights);
    }

    /// One column of probabilities for the class 1, or one for each class, with its name.
    Score logLoss() {
        String[] is = classes();
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
        double[][] probabilities = predicted.stream().map(fields -> {
            double[] given = fields.stream().skip(1).mapToDouble(Submissions::number).toArray();
            return columns == 1 ? new double[] {1 - given[0], given[0]} : given;
        }).toArray(double[][]::new);
        return weights -> Metrics.logLoss(indices, probabilities, weights);
    }

    /// The labels' column of the submission's target, or the one after the id.
    private int target() {
        int named = submission.header().size() == 2 ? labels.column(submission.header().get(1)) : -1;
        if (named < 0 && labels.header().size() < 2) {
            throw new Invalid(labels.what() + " has no column besides the id");
        }
        return named < 0 ? 1 : named;
    }

    private static double[] numbers(Table table, List<List<String>> rows, int column) {
        return rows.stream().mapToDouble(fields -> {
            double number = Submissions.number(label(fields.get(column)));
            if (!Double.isFinite(number)) {
                throw new Invalid(table.what() + ", id " + Formats.line(fields.getFirst(), 40) + ": \"" + Formats.line(fields.get(column), 40)
                        + "\" is no finite number");
            }
            return number;
        }).toArray();
    }

    private static String[] classes(List<List<String>> rows, int column) {
        return rows.stream().map(fields -> label(fields.get(column))).toArray(String[]::new);
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

package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/// Brings labels into the form that a metric takes, once for any number of predictions.
///
/// @param labels the table that `truth` is of
/// @param truth the rows that count
/// @param columns of the submissions, besides the id
record Grading(Table labels, List<CsvRecord> truth, List<String> columns) {
    /// A metric on certain rows.
    interface Scorer {
        WeightedScore apply(Predictions predicted);

        /// The scores of several predictions; not a number where one is not defined.
        default double[] each(List<Predictions> many, double[] weights) {
            return many.stream()
                    .mapToDouble(one -> apply(one).scores(List.of(weights))[0])
                    .toArray();
        }
    }

    /// A score as a function of labels, then of predictions, then of weights.
    interface Calculation {
        Scorer of(Grading grading);
    }

    Grading {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new Invalid("the submission has no column besides the id");
        }
    }

    /// The rows that have a label in one column: where there are several, a row may have only some
    /// of them.
    record LabelColumn(int number, int[] rows, boolean isWhole) {
        double[] of(double[] values) {
            return isWhole ? values : Arrays.stream(rows).mapToDouble(row -> values[row]).toArray();
        }

        String[] of(String[] values) {
            return isWhole
                    ? values
                    : Arrays.stream(rows).mapToObj(row -> values[row]).toArray(String[]::new);
        }

        WeightedScore score(WeightedScore own) {
            return isWhole ? own : weights -> own.score(of(weights));
        }
    }

    private LabelColumn present(int column) {
        int label = labels.column(columns.get(column));
        if (columns.size() == 1 || label < 0) {
            return new LabelColumn(column, new int[0], true);
        }
        int[] rows =
                IntStream.range(0, truth.size()).filter(row -> !isMissing(row, label)).toArray();
        return new LabelColumn(column, rows, rows.length == truth.size());
    }

    private boolean isMissing(int row, int column) {
        String text = truth.get(row).getField(column).strip();
        return text.isEmpty() || text.equalsIgnoreCase("nan");
    }

    List<LabelColumn> present() {
        return IntStream.range(0, columns.size()).mapToObj(this::present).toList();
    }

    /// The labels of a column, or where the columns are classes 1 for the rows of its class.
    double[] column(LabelColumn column) {
        String name = columns.get(column.number);
        int label = labels.column(name);
        if (label >= 0) {
            List<CsvRecord> rows = column.isWhole
                    ? truth
                    : Arrays.stream(column.rows).mapToObj(truth::get).toList();
            return numbers(labels, rows, label);
        }
        if (columns.size() == 1) {
            throw new Invalid(labels.what() + " has no column " + name);
        }
        return Arrays.stream(places())
                .mapToDouble(place -> place == column.number ? 1 : 0)
                .toArray();
    }

    /// True if there are several columns in the submission, and the labels have all of them.
    boolean isWide() {
        return columns.size() > 1 && columns.stream().allMatch(name -> labels.column(name) >= 0);
    }

    String[] labels(LabelColumn column) {
        return column.of(all(column));
    }

    String[] all(LabelColumn column) {
        return classes(labels, truth,
                columns.size() == 1 || !isWide()
                        ? target()
                        : labels.column(columns.get(column.number)));
    }

    List<List<String>> lists() {
        if (!isWide()) {
            return Arrays.stream(classes(labels, truth, target()))
                    .map(text -> list(columns.size() == 1 ? text : text.toLowerCase(Locale.ROOT)))
                    .toList();
        }
        List<String[]> each = present().stream().map(this::all).toList();
        return IntStream.range(0, truth.size())
                .mapToObj(row -> IntStream.range(0, each.size())
                        .filter(column -> each.get(column)[row].equals("1"))
                        .mapToObj(columns::get)
                        .toList())
                .toList();
    }

    static List<String> list(String text) {
        return Arrays.stream(text.strip().split("\\s+"))
                .filter(one -> !one.isEmpty())
                .map(Grading::label)
                .toList();
    }

    double[] extra(String column, String what) {
        return numbers(labels, truth, place(column, what));
    }

    int place(String column, String what) {
        int place = labels.column(column);
        if (place < 0) {
            throw new Invalid(labels.what() + " has no column " + column + " of " + what);
        }
        return place;
    }

    /// True if the labels are columns of 0 and 1, with one 1 in each row.
    boolean isOneHot() {
        return isWide() && present().stream().allMatch(LabelColumn::isWhole)
                && IntStream.range(0, truth.size()).allMatch(this::isOneHot);
    }

    private boolean isOneHot(int row) {
        List<String> cells = columns.stream()
                .map(name -> labels.label(truth.get(row), labels.column(name)))
                .toList();
        long ones = cells.stream().filter("1"::equals).count();
        return ones == 1 && cells.stream().filter("0"::equals).count() == cells.size() - 1;
    }

    /// The column of each row's class.
    int[] places() {
        if (isWide()) {
            return truth.stream()
                    .mapToInt(row -> IntStream.range(0, columns.size())
                            .filter(i -> labels.label(row, labels.column(columns.get(i)))
                                    .equals("1"))
                            .findFirst()
                            .orElseThrow())
                    .toArray();
        }
        String[] is = classes(labels, truth, target());
        List<String> names = columns.size() == 1 ? List.of("0", "1") : classes();
        return IntStream.range(0, is.length).map(i -> {
            int index = names.indexOf(is[i].toLowerCase(Locale.ROOT));
            if (index < 0) {
                throw new Invalid(labels.what() + ", " + Table.line(truth.get(i)) + ": \""
                        + Excerpt.line(is[i], 40)
                        + "\" is none of the classes "
                        + Excerpt.line(String.join(", ", columns.size() == 1 ? names : columns),
                                120));
            }
            return index;
        }).toArray();
    }

    /// The classes that the columns stand for: the values of the target, behind the shortest prefix
    /// of all columns with which they are these.
    ///
    /// @return in lower case
    List<String> classes() {
        List<String> is = Arrays.stream(classes(labels, truth, target()))
                .distinct()
                .map(label -> label.toLowerCase(Locale.ROOT))
                .toList();
        String first = columns.getFirst();
        for (int length = 0; length < first.length(); length++) {
            String prefix = first.substring(0, length);
            if (!columns.stream()
                    .allMatch(column -> column.startsWith(prefix)
                            && column.length() > prefix.length())) {
                break;
            }
            List<String> names = behind(length);
            if (names.containsAll(is)) {
                return names;
            }
        }
        return behind(0);
    }

    private List<String> behind(int length) {
        return columns.stream()
                .map(column -> label(column.substring(length)).toLowerCase(Locale.ROOT))
                .toList();
    }

    /// The labels by column: the submission's columns first, as 0 and 1 where they are classes,
    /// then what else there is of each row.
    Map<String, String[]> solution() {
        Map<String, String[]> texts = new LinkedHashMap<>();
        boolean areClasses = columns.size() > 1 && !isWide();
        for (int column = 0; column < columns.size(); column++) {
            int place = areClasses ? -1 : labels.column(columns.get(column));
            int number = column;
            texts.put(columns.get(column),
                    areClasses
                            ? Arrays.stream(places())
                                    .mapToObj(at -> at == number ? "1" : "0")
                                    .toArray(String[]::new)
                            : texts(place < 0 ? target() : place));
        }
        for (String other : labels.columns()) {
            texts.computeIfAbsent(other, name -> texts(labels.column(name)));
        }
        return texts;
    }

    private String[] texts(int column) {
        return truth.stream().map(row -> row.getField(column).strip()).toArray(String[]::new);
    }

    /// The labels' column of the submission's target, or the one after the id.
    private int target() {
        int named = columns.size() == 1 ? labels.column(columns.getFirst()) : -1;
        if (named < 0 && labels.columns().isEmpty()) {
            throw new Invalid(labels.what() + " has no column besides the id");
        }
        return named < 0 ? labels.firstValue() : named;
    }

    static double[] numbers(Table table, List<CsvRecord> rows, int column) {
        return rows.stream().mapToDouble(row -> {
            double number = table.number(row, column);
            if (!Double.isFinite(number)) {
                throw new Invalid(
                        table.what() + ", " + Table.line(row) + ": \""
                                + Excerpt.line(row.getField(column), 40)
                                + "\" is no finite number");
            }
            return number;
        }).toArray();
    }

    static String[] classes(Table table, List<CsvRecord> rows, int column) {
        return rows.stream().map(row -> table.label(row, column)).toArray(String[]::new);
    }

    /// Gives `1`, `1.0` and `True` one form.
    static String label(String text) {
        String plain = text.strip();
        return switch (plain.toLowerCase(Locale.ROOT)) {
            case "true" -> "1";
            case "false" -> "0";
            default -> {
                double number = Submissions.number(plain);
                yield number == Math.rint(number) && Math.abs(number) < 1e15
                        ? String.valueOf((long) number)
                        : plain;
            }
        };
    }
}

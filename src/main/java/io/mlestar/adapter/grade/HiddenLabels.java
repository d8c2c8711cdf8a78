package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.mlestar.adapter.grade.Grading.Predicted;
import io.mlestar.adapter.grade.Grading.Submitted;
import io.mlestar.adapter.grade.Metrics.Weighted;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Validation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/// The labels of the rows that the harness hides from the scripts of a run: scores predictions for them, with the errors of the scores.
public final class HiddenLabels {
    private static final int DRAWS = 50;
    /// All scripts of a run are scored on the same resamples.
    private static final long SEED = 20_250_615;
    private static final MathContext DIGITS = new MathContext(6);
    /// The last columns of the labels: the part and the group of each row. What they are called does not matter, since a target may be called so.
    private static final int MARKS = 2;

    private final Table labels;
    private final TableFormat format;
    private final Metric metric;
    private final Half search;
    private final Half select;

    /// Half of the hidden rows.
    ///
    /// @param weights of the rows in each resample
    record Half(List<String> ids, List<CsvRecord> truth, List<double[]> weights) {
        private static Half of(Table labels, String name) {
            List<String> ids = labels.rows().entrySet().stream().filter(row -> mark(row.getValue(), 2).equals(name)).map(Map.Entry::getKey).toList();
            List<CsvRecord> rows = ids.stream().map(labels.rows()::get).toList();
            if (rows.isEmpty()) {
                throw new Invalid(labels.what() + " has no row for " + name);
            }
            Map<String, Integer> numbers = new HashMap<>();
            int[] groups = rows.stream().mapToInt(row -> numbers.computeIfAbsent(mark(row, 1), _ -> numbers.size())).toArray();
            Random random = new Random(SEED);
            return new Half(ids, rows, Stream.generate(() -> {
                int[] drawn = new int[numbers.size()];
                random.ints(drawn.length, 0, drawn.length).forEach(group -> drawn[group]++);
                return Arrays.stream(groups).mapToDouble(group -> drawn[group]).toArray();
            }).limit(DRAWS).toList());
        }

        private static String mark(CsvRecord row, int fromLast) {
            return row.getField(row.getFieldCount() - fromLast).strip();
        }

        /// What a submission holds for these rows.
        Submitted of(Table submission) {
            return new Submitted(submission, ids.stream().map(submission.rows()::get).toList());
        }

        /// Each row once.
        double[] all() {
            double[] ones = new double[ids.size()];
            Arrays.fill(ones, 1);
            return ones;
        }

        /// A resample on which the metric is not defined, of one class only for example, tells nothing.
        private List<Double> draws(Weighted metric, double whole) {
            return weights.stream().map(drawn -> {
                try {
                    return new BigDecimal(metric.score(drawn)).round(DIGITS).doubleValue();
                } catch (Invalid e) {
                    return whole;
                }
            }).toList();
        }
    }

    private HiddenLabels(Table labels, TableFormat format, Metric metric) {
        this.labels = labels;
        this.format = format;
        this.metric = metric;
        this.search = Half.of(labels, "search");
        this.select = Half.of(labels, "select");
    }

    /// Whether a task's scores can be computed here.
    public static boolean knows(String metric, MetricDirection direction) {
        return Metric.find(metric).filter(known -> known.direction() == direction).isPresent();
    }

    /// Reads the labels of the hidden rows: the id, the target or targets as the submission names them, the part (`search` or `select`), and the group.
    ///
    /// @param format of the submissions: by what their rows are named
    /// @throws Invalid if they are no such table, or the metric is unknown. Whether it is defined for them, [#validate] of the sample submission shows
    public static HiddenLabels of(byte[] csv, TableFormat format, String metric) {
        Table labels = Table.of("the table of labels", new ByteArrayInputStream(csv), ',', format.keys(), _ -> true);
        if (!labels.problems().isEmpty()) {
            throw new Invalid(labels.what() + ": " + labels.problems().getFirst());
        }
        if (format.keys() < 1 || labels.header().size() <= format.keys() + MARKS) {
            throw new Invalid(labels.what() + " has no target, part and group");
        }
        return new HiddenLabels(labels, format, Metric.named(metric));
    }

    /// Scores a submission for the test table with the hidden rows in it.
    ///
    /// @param key where the submission is stored
    /// @throws Invalid for the author of the script: one line, which quotes no label
    public Validation validate(Table submission, String key) {
        if (!submission.problems().isEmpty()) {
            throw new Invalid(submission.what() + ": " + submission.problems().getFirst());
        }
        if (!submission.rows().keySet().containsAll(labels.rows().keySet())) {
            throw new Invalid(submission.what() + " must have a row for each id of the test table; it has " + submission.rows().size() + " rows"
                    + submission.rows().keySet().stream().findFirst().map(id -> ", the first for the id \"" + Excerpt.line(id, 40) + "\"").orElse(""));
        }
        return validate(key, submission.columns(), part -> part.of(submission));
    }

    /// @param columns of the submission, besides the id
    Validation validate(String key, List<String> columns, Function<Half, Predicted> predicted) {
        Weighted onSearch = metric(search, columns).apply(predicted.apply(search));
        Weighted onSelect = metric(select, columns).apply(predicted.apply(select));
        double searched = onSearch.score(search.all());
        double selected = onSelect.score(select.all());
        return new Validation(key, searched, selected, search.draws(onSearch, searched), select.draws(onSelect, selected));
    }

    /// The metric on a part, once for any number of predictions.
    Function<Predicted, Weighted> metric(Half part, List<String> columns) {
        try {
            return metric.of(new Grading(labels, part.truth(), columns));
        } catch (Invalid e) {
            throw new Invalid("the columns " + Excerpt.line(String.join(", ", columns), 120) + " cannot be scored by " + metric.title()
                    + "; they must be those of the sample submission");
        }
    }

    TableFormat format() {
        return format;
    }

    Metric metric() {
        return metric;
    }

    Half search() {
        return search;
    }

    Half select() {
        return select;
    }

    /// Whether the row of that id is hidden.
    public boolean isHidden(String id) {
        return labels.rows().containsKey(id);
    }

    /// What stored predictions hold for the hidden rows.
    ///
    /// @throws Invalid if they are no table
    public Table hiddenRows(String what, byte[] predictions) {
        return Table.of(what, new ByteArrayInputStream(predictions), format.delimiter(), format.keys(), this::isHidden);
    }

    /// Copies the rows of a submission that the task asks for: those that are not hidden.
    ///
    /// @throws Invalid if it is no table
    public void withoutHidden(Path submission, Path to) throws IOException {
        try (CsvWriter writer = CsvWriter.builder().fieldSeparator(format.delimiter()).build(to)) {
            Table.rows("the submission", Table.open("the submission", submission), format.delimiter(), format.keys(), new Table.Problems(), header -> {
                writer.writeRecord(header);
                return true;
            }, (id, row) -> {
                if (!isHidden(id)) {
                    writer.writeRecord(row.getFields());
                }
                return true;
            });
        }
    }
}

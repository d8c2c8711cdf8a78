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
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The labels of the rows that the harness hides from the scripts of a run: scores predictions for them, with the errors of the scores.
public final class HiddenLabels {
    private static final int DRAWS = 50;
    /// All scripts of a run are scored on the same resamples.
    private static final long SEED = 20_250_615;
    private static final MathContext DIGITS = new MathContext(6);
    /// The last columns of the labels, counted from the end: the group and the part of each row. What they are called does not matter, since a target may be
    /// called so.
    private static final int GROUP = 2;
    private static final int PART = 1;
    private static final int MARKS = 2;
    private static final String SELECT = "select";

    private final Table labels;
    private final TableFormat format;
    private final Metric metric;
    private final String rows;
    private final List<String> counted;
    private final Half search;
    private final Half select;

    /// Rows that scores are by: those of the search, or those for the final choice.
    ///
    /// @param folds of the rows, in order: their rows lie one fold after the other
    record Half(List<String> ids, List<CsvRecord> truth, List<Fold> folds) {
        private static Half of(Table labels, List<String> parts) {
            List<Fold> folds = new ArrayList<>();
            List<CsvRecord> rows = new ArrayList<>();
            List<String> ids = new ArrayList<>();
            for (String part : parts) {
                Map<String, Integer> numbers = new HashMap<>();
                List<Integer> groups = new ArrayList<>();
                labels.rows().forEach((id, row) -> {
                    if (part(row).equals(part)) {
                        ids.add(id);
                        rows.add(row);
                        groups.add(numbers.computeIfAbsent(mark(row, GROUP), _ -> numbers.size()));
                    }
                });
                if (groups.isEmpty()) {
                    throw new Invalid(labels.what() + " has no row for " + part);
                }
                folds.add(new Fold(groups.stream().mapToInt(group -> group).toArray(), numbers.size()));
            }
            return new Half(ids, rows, folds);
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

        /// Those weights for the rows of one fold, and none for the others.
        private double[] within(int fold, double[] weights) {
            int from = folds.subList(0, fold).stream().mapToInt(one -> one.groups().length).sum();
            double[] within = new double[weights.length];
            System.arraycopy(weights, from, within, from, folds.get(fold).groups().length);
            return within;
        }

        /// The score on each resample, which draws whole groups, and from each fold as many as that has. A resample on which the metric is not defined, of one
        /// class only for example, is left out: the labels decide that, so it is for all scripts.
        private List<Double> draws(Weighted metric, double whole) {
            // Of their own for each fold: with the same ones, folds of one size would be wrong together.
            List<Random> chances = IntStream.range(0, folds.size()).mapToObj(fold -> new Random(SEED + fold)).toList();
            List<Double> draws = Stream.generate(() -> IntStream.range(0, folds.size()).mapToObj(fold -> folds.get(fold).drawn(chances.get(fold)))
                    .flatMapToDouble(Arrays::stream).toArray()).limit(DRAWS).flatMap(drawn -> {
                        try {
                            return Stream.of(new BigDecimal(metric.score(drawn)).round(DIGITS).doubleValue());
                        } catch (Invalid e) {
                            return Stream.empty();
                        }
                    }).toList();
            return draws.size() > 1 ? draws : List.of(whole, whole);
        }
    }

    /// Some of the rows.
    ///
    /// @param groups number of the group of each row, from 0
    /// @param number of groups
    private record Fold(int[] groups, int number) {
        double[] drawn(Random chance) {
            int[] drawn = new int[number];
            chance.ints(number, 0, number).forEach(group -> drawn[group]++);
            return Arrays.stream(groups).mapToDouble(group -> drawn[group]).toArray();
        }
    }

    private static String part(CsvRecord row) {
        return mark(row, PART);
    }

    private static String mark(CsvRecord row, int fromLast) {
        return row.getField(row.getFieldCount() - fromLast).strip();
    }

    private HiddenLabels(Table labels, TableFormat format, Metric metric, String rows, List<String> folds) {
        this.labels = labels;
        this.format = format;
        this.metric = metric;
        this.rows = rows;
        this.counted = folds;
        this.search = Half.of(labels, folds);
        this.select = Half.of(labels, List.of(SELECT));
    }

    /// Whether a task's scores can be computed here.
    public static boolean knows(String metric, MetricDirection direction) {
        return Metric.find(metric).filter(known -> known.direction() == direction).isPresent();
    }

    /// Reads the labels of the hidden rows: the id, the target or targets as the submission names them, and the group and the part (the number of a fold, from 0, or
    /// `select`), as the survey writes them.
    ///
    /// @param format of the submissions: by what their rows are named
    /// @param digest of the hold-out
    /// @param fold by which scores are; empty: by all folds
    /// @throws Invalid if they are no such table, or the metric is unknown. Whether it is defined for them, [#validate] of the sample submission shows
    public static HiddenLabels of(byte[] csv, TableFormat format, String metric, String digest, OptionalInt fold) {
        Table labels = Table.of("the table of labels", new ByteArrayInputStream(csv), ',', format.keys(), _ -> true);
        if (!labels.problems().isEmpty()) {
            throw new Invalid(labels.what() + ": " + labels.problems().getFirst());
        }
        if (format.keys() < 1 || labels.header().size() <= format.keys() + MARKS) {
            throw new Invalid(labels.what() + " has no target, part and group");
        }
        int folds = (int) labels.rows().values().stream().map(HiddenLabels::part).distinct().filter(part -> !part.equals(SELECT)).count();
        IntStream wanted = fold.isPresent() ? IntStream.of(fold.getAsInt()) : IntStream.range(0, folds);
        return new HiddenLabels(labels, format, Metric.named(metric), fold.isPresent() && folds > 1 ? digest + "/" + fold.getAsInt() : digest,
                wanted.mapToObj(String::valueOf).toList());
    }

    /// Scores a submission for the test table with the hidden rows in it.
    ///
    /// @param key where the submission is stored
    /// @throws Invalid for the author of the script: one line, which quotes no label
    public Validation validate(Table submission, String key) {
        if (!submission.problems().isEmpty()) {
            throw new Invalid(submission.what() + ": " + submission.problems().getFirst());
        }
        if (!submission.rows().keySet().containsAll(search.ids()) || !submission.rows().keySet().containsAll(select.ids())) {
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
        return new Validation(rows, key, searched, selected, search.draws(onSearch, searched), select.draws(onSelect, selected),
                search.folds().size() == 1 ? null : first(onSearch));
    }

    private Validation.Sample first(Weighted onSearch) {
        Weighted onFirst = weights -> onSearch.score(search.within(0, weights));
        double score = onFirst.score(search.all());
        return new Validation.Sample(rows + "/0", score, search.draws(onFirst, score));
    }

    /// The metric on a part, once for any number of predictions. Predictions of runs that learned from other rows have no order among each other: where the order is
    /// all that counts, the score is the mean of the folds' on which it is defined.
    Function<Predicted, Weighted> metric(Half part, List<String> columns) {
        try {
            Function<Predicted, Weighted> whole = metric.of(new Grading(labels, part.truth(), columns));
            return !metric.isByRank() || part.folds().size() == 1 ? whole : predicted -> {
                Weighted score = whole.apply(predicted);
                return weights -> mean(IntStream.range(0, part.folds().size()).mapToObj(fold -> part.within(fold, weights)), score);
            };
        } catch (Invalid e) {
            throw new Invalid("the columns " + Excerpt.line(String.join(", ", columns), 120) + " cannot be scored by " + metric.title()
                    + "; they must be those of the sample submission");
        }
    }

    private static double mean(Stream<double[]> folds, Weighted score) {
        return folds.flatMap(weights -> {
            try {
                return Stream.of(score.score(weights));
            } catch (Invalid e) {
                return Stream.empty();
            }
        }).mapToDouble(each -> each).average().orElseThrow(() -> new Invalid("the score is not defined on any fold: the labels of each hold one class only"));
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

    /// Whether the row of that id is in a fold: the others stand in the test table of all of them.
    boolean isOfFold(String id) {
        return Optional.ofNullable(labels.rows().get(id)).filter(row -> !part(row).equals(SELECT)).isPresent();
    }

    /// Whether it is in a fold that scores are not by.
    boolean isOfOtherFold(String id) {
        return isOfFold(id) && !counted.contains(part(Objects.requireNonNull(labels.rows().get(id))));
    }

    /// What stored predictions hold for the hidden rows.
    ///
    /// @throws Invalid if they are no table
    public Table hiddenRows(String what, byte[] predictions) {
        return Table.of(what, new ByteArrayInputStream(predictions), format.delimiter(), format.keys(), this::isHidden);
    }

    /// Copies the rows of a submission that the task asks for, under its own ids: those that are not hidden. Closes the first stream.
    ///
    /// @throws Invalid if it is no table
    void withoutHidden(InputStream submission, OutputStream to, RowNames names) throws IOException {
        copy(submission, to, true, id -> !isHidden(id), names);
    }

    /// Copies the rows of predictions that are in folds, without a header. Closes the first stream.
    void ofFolds(InputStream predictions, OutputStream to) throws IOException {
        copy(predictions, to, false, this::isOfFold, RowNames.OWN);
    }

    private void copy(InputStream table, OutputStream to, boolean withHeader, Predicate<String> wanted, RowNames names)
            throws IOException {
        Writer text = new OutputStreamWriter(to, StandardCharsets.UTF_8);
        CsvWriter writer = CsvWriter.builder().fieldSeparator(format.delimiter()).build(text);
        Table.rows("the submission", table, format.delimiter(), format.keys(), new Table.Problems(), header -> {
            if (withHeader) {
                writer.writeRecord(header);
            }
            return true;
        }, (id, row) -> {
            if (wanted.test(id)) {
                writer.writeRecord(names.own(id, row.getFields()));
            }
            return true;
        });
        writer.flush();
    }
}

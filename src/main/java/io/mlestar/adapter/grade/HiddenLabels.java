package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.mlestar.adapter.grade.Grading.Scorer;
import io.mlestar.adapter.grade.HiddenRows.Draws;
import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.adapter.grade.ProgramValidation.WantedScores;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// The labels of the rows that the harness hides from the scripts of a run: scores predictions for
/// them, with the errors of the scores.
public final class HiddenLabels {
    /// Columns of the labels behind the targets: the group and the part of each row.
    static final int MARKS = 2;
    private static final String SELECT = "select";

    private final Table labels;
    private final TableFormat format;
    private final Metric metric;
    private final PartMetric ofParts;
    private final String rows;
    private final List<String> counted;
    private final HiddenRows search;
    private final HiddenRows select;
    private final Draws draws;
    private final WantedScores wanted;

    private HiddenLabels(
            Table labels,
            TableFormat format,
            Metric metric,
            Draws draws,
            String rows,
            List<String> folds,
            WantedScores wanted) {
        this.draws = draws;
        this.wanted = wanted;
        this.labels = labels;
        this.format = format;
        this.metric = metric;
        this.ofParts = new PartMetric(metric, labels);
        this.rows = rows;
        this.counted = folds;
        this.search = HiddenRows.of(labels, folds);
        this.select = HiddenRows.of(labels, List.of(SELECT));
    }

    /// Reads the labels of the hidden rows: the id, the target or targets as the submission names
    /// them, and the group and the part (the number of a fold, from 0, or `select`), as the survey
    /// writes them.
    ///
    /// @param format of the submissions: by what their rows are named
    /// @param digest of the hold-out
    /// @param fold by which scores are; empty: by all folds
    /// @throws Invalid if they are no such table, or the metric is unknown. Whether it is defined
    ///   for them, [#validate] of the sample submission shows
    public static HiddenLabels of(
            byte[] csv,
            TableFormat format,
            String metric,
            String digest,
            OptionalInt fold) {
        return of(csv, format, Metric.named(metric), Draws.USUAL, digest, fold);
    }

    /// Like [#of], by a metric that has no name here.
    static HiddenLabels of(
            byte[] csv,
            TableFormat format,
            Metric metric,
            Draws draws,
            String digest,
            OptionalInt fold) {
        Table labels = Table.of("the table of labels", new ByteArrayInputStream(csv), ',',
                format.keys(), _ -> true);
        labels.check(labels.what() + ": ");
        if (format.keys() < 1 || labels.header().size() <= format.keys() + MARKS) {
            throw new Invalid(labels.what() + " has no target, part and group");
        }
        int folds = (int) labels.rows()
                .values()
                .stream()
                .map(HiddenRows::part)
                .distinct()
                .filter(part -> !part.equals(SELECT))
                .count();
        IntStream counted =
                fold.isPresent() ? IntStream.of(fold.getAsInt()) : IntStream.range(0, folds);
        List<String> parts = counted.mapToObj(String::valueOf).toList();
        if (fold.isEmpty() || folds == 1) {
            return new HiddenLabels(labels, format, metric, draws, digest, parts,
                    WantedScores.FOLDS);
        }
        return new HiddenLabels(labels, format, metric, draws, digest + "/" + fold.getAsInt(),
                parts, fold.getAsInt() == 0 ? WantedScores.FIRST_FOLD : WantedScores.FURTHER_FOLD);
    }

    /// Scores a submission for the test table with the hidden rows in it. A task's own program
    /// scores those of further folds together.
    ///
    /// @param key where the submission is stored
    /// @throws Invalid for the author of the script: one line, which quotes no label
    Score score(Table submission, String key) {
        if (wanted != WantedScores.FURTHER_FOLD || !metric.traits().isOfProgram()) {
            return Score.by(validate(submission, key));
        }
        check(submission);
        return ProgramValidation.later(rows, key);
    }

    /// The same, in any case.
    public Validation validate(Table submission, String key) {
        check(submission);
        return validate(key, submission.columns(), part -> part.of(submission), wanted);
    }

    private void check(Table submission) {
        if (!submission.problems().isEmpty()) {
            throw new Invalid(submission.what() + ": " + submission.problems().getFirst());
        }
        if (!submission.rows().keySet().containsAll(search.ids())
                || !submission.rows().keySet().containsAll(select.ids())) {
            throw new Invalid(submission.what()
                    + " must have a row for each id of the test table; it has "
                    + submission.rows().size() + " rows"
                    + submission.rows()
                            .keySet()
                            .stream()
                            .findFirst()
                            .map(id -> ", the first for the id \"" + Excerpt.line(id, 40) + "\"")
                            .orElse(""));
        }
    }

    /// @param columns of the submission, besides the id
    /// @param wanted of a task's own program; of other metrics there are all scores
    Validation validate(
            String key,
            List<String> columns,
            Function<HiddenRows, Predictions> predicted,
            WantedScores wanted) {
        if (metric.traits().isOfProgram()) {
            Predictions both =
                    ProgramValidation.joined(predicted.apply(search), predicted.apply(select),
                            columns.size());
            WeightedScore onBoth = metric(search.and(select), columns).apply(both);
            return new ProgramValidation(search, select, draws, wanted).of(rows, key, onBoth);
        }
        WeightedScore onSearch = metric(search, columns).apply(predicted.apply(search));
        WeightedScore onSelect = metric(select, columns).apply(predicted.apply(select));
        List<Double> searched = search.scores(onSearch, draws);
        List<Double> selected = select.scores(onSelect, draws);
        boolean isFolded = search.folds().size() > 1;
        return new Validation(rows, key, searched.getFirst(), selected.getFirst(),
                searched.subList(1, searched.size()), selected.subList(1, selected.size()),
                isFolded ? first(onSearch) : null,
                isFolded ? HiddenRows.orNull(onSearch.scores(search.each().toList())) : List.of());
    }

    /// Tries a `metric.py` that nobody has read on the rows of the search.
    ///
    /// @throws Invalid with what is wrong, for its author
    void tryMetric(List<String> columns) {
        Grading grading = ofParts.grading(search, columns);
        MetricTrial.check(grading, metric.of(grading), metric.direction());
    }

    /// The first lines of what a `metric.py` would see, as CSV.
    String frames(Table submission) {
        return MetricProgram.frames(ofParts.grading(search, submission.columns()),
                search.of(submission));
    }

    /// Seconds that one score by a task's own program takes.
    double seconds(Table submission) {
        Grading grading = ofParts.grading(search, submission.columns());
        return ((MetricProgram.ProgramScorer) metric.of(grading)).seconds(search.of(submission));
    }

    private Validation.Sample first(WeightedScore onSearch) {
        List<Double> scores =
                search.scores(weights -> onSearch.score(search.within(0, weights)), draws);
        return new Validation.Sample(rows + "/0", scores.getFirst(),
                scores.subList(1, scores.size()));
    }

    /// The metric on a part, once for any number of predictions.
    Scorer metric(HiddenRows part, List<String> columns) {
        return ofParts.scorer(part, columns);
    }

    TableFormat format() {
        return format;
    }

    Metric metric() {
        return metric;
    }

    Draws draws() {
        return draws;
    }

    HiddenRows search() {
        return search;
    }

    HiddenRows select() {
        return select;
    }

    /// True if the row of that id is hidden.
    public boolean isHidden(String id) {
        return labels.rows().containsKey(id);
    }

    /// True if the row of that id is in a fold: the others stand in the test table of all folds.
    boolean isOfFold(String id) {
        return Optional.ofNullable(labels.rows().get(id))
                .filter(row -> !HiddenRows.part(row).equals(SELECT))
                .isPresent();
    }

    /// True if the row is in a fold that does not count for the scores.
    boolean isOfOtherFold(String id) {
        return isOfFold(id) && !counted
                .contains(HiddenRows.part(Objects.requireNonNull(labels.rows().get(id))));
    }

    /// The hidden rows of stored predictions.
    ///
    /// @throws Invalid if they are no table
    public Table hiddenRows(String what, byte[] predictions) {
        return Table.of(what, new ByteArrayInputStream(predictions), format.delimiter(),
                format.keys(), this::isHidden);
    }

    /// Copies the rows of a submission that the task asks for, under its own ids: those that are
    /// not hidden. Closes the first stream.
    ///
    /// @throws Invalid if it is no table
    void withoutHidden(InputStream submission, OutputStream to, RowNames names) throws IOException {
        copy(submission, to, true, id -> !isHidden(id), names);
    }

    /// Copies the rows of predictions that are in folds, without a header. Closes the first stream.
    void ofFolds(InputStream predictions, OutputStream to) throws IOException {
        copy(predictions, to, false, this::isOfFold, RowNames.OWN);
    }

    private void copy(
            InputStream table,
            OutputStream to,
            boolean withHeader,
            Predicate<String> wanted,
            RowNames names)
            throws IOException {
        Writer text = new OutputStreamWriter(to, StandardCharsets.UTF_8);
        CsvWriter writer = CsvWriter.builder().fieldSeparator(format.delimiter()).build(text);
        Table.rows("the submission", table, format.delimiter(), format.keys(), new Table.Problems(),
                header -> {
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

package io.mlestar.adapter.grade;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.DataTables;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.task.TaskDescription;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The files of a hold-out as a program left them, before they are kept: see `survey/holdout.py`.
record LeftHoldout(Path folder, TaskDescription task) {
    private static final String TABLES = "tables.json";

    /// The sample submission of a fold's view.
    private record ViewSample(SubmissionForm form, byte[] csv) {
        Table rows(HiddenLabels hidden) {
            return form.read("the sample submission", new ByteArrayInputStream(csv),
                    hidden::isHidden);
        }
    }

    /// Looks whether all can be scored: labels that the metric is not defined for could not be
    /// later.
    ///
    /// @param program source of the task's own metric
    /// @throws Invalid if they cannot
    void check(Optional<String> program, MetricProgram.Runner runner) throws IOException {
        addColumns(program);
        int folds = (int) IntStream.iterate(0,
                fold -> fold == 0 || Files.isDirectory(folder.resolve(Holdout.view(fold))),
                fold -> fold + 1).count();
        for (int fold = 0; fold < folds; fold++) {
            ViewSample sample = sample(fold);
            HiddenLabels hidden = hidden(program, runner, sample, OptionalInt.of(fold));
            Table given = sample.rows(hidden);
            hidden.validate(given, "sample");
            if (program.isPresent() && fold == 0) {
                Files.writeString(folder.resolve(MetricProgram.FILE), program.get());
                Files.writeString(folder.resolve(KeptHoldout.DRAWS),
                        String.valueOf(RunMetric.draws(hidden.seconds(given), folds)));
            }
        }
    }

    /// Tries a `metric.py` that nobody has read.
    ///
    /// @throws Invalid with what is wrong, for its author
    void tryMetric(String program, MetricProgram.Runner runner) throws IOException {
        TaskProgram.METRIC.check(program, MetricProgram.FILE);
        addColumns(Optional.of(program));
        ViewSample sample = sample(0);
        HiddenLabels hidden = hidden(Optional.of(program), runner, sample, OptionalInt.empty());
        hidden.tryMetric(sample.rows(hidden).columns());
    }

    /// The first lines of what a `metric.py` would see, as CSV, and which columns there are
    /// besides.
    String frames() throws IOException {
        ViewSample sample = sample(0);
        HiddenLabels hidden = hidden(Optional.of(""), (_, _, _) -> "", sample, OptionalInt.of(0));
        Path others = folder.resolve(KeptHoldout.COLUMNS);
        String known = hidden.frames(sample.rows(hidden));
        return isFile(others)
                ? known + "\n\nfurther columns of solution, if metric.py names them in quotes:\n"
                        + String.join(",", Table.columnsOf("the table of further columns", others))
                : known;
    }

    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(LeftHoldout::isFile).sorted().toList();
        }
    }

    private static boolean isFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private HiddenLabels hidden(
            Optional<String> program,
            MetricProgram.Runner runner,
            ViewSample sample,
            OptionalInt fold) throws IOException {
        return RunMetric.untried(task, program, runner, sample.form())
                .labels(Files.readAllBytes(labels()), sample.form(), "sample", fold);
    }

    private Path labels() {
        Path labels = folder.resolve(KeptHoldout.LABELS);
        if (!isFile(labels)) {
            throw new Invalid("the program that hides rows left no labels");
        }
        return labels;
    }

    private ViewSample sample(int fold) throws IOException {
        Path roles = folder.resolve(TABLES);
        Optional<DataTables> tables = isFile(roles)
                ? Optional.of(
                        Json.readStrictly(Json.parse(Files.readString(roles)), DataTables.class))
                : Optional.empty();
        Path sample = TaskTables.of(folder.resolve(Holdout.view(fold)), tables)
                .sample()
                .orElseThrow(
                        () -> new Invalid("the program that hides rows left no sample submission"));
        Path order = folder.resolve(KeptHoldout.order(Holdout.view(fold)));
        if (isFile(order)) {
            PlacedRows placed =
                    PlacedRows.of(Files.readAllBytes(sample), Files.readAllBytes(order),
                            Files.readAllBytes(labels()));
            return new ViewSample(placed.form(),
                    placed.named(Table.open("the sample submission", sample)));
        }
        try (InputStream rows = Table.open("the sample submission", sample)) {
            return new ViewSample(Submissions.form(sample), rows.readAllBytes());
        }
    }

    /// Adds the columns that the metric needs besides the targets.
    private void addColumns(Optional<String> program) throws IOException {
        List<String> needs = program.isPresent()
                ? List.of()
                : Metric.named(task.evaluationMetric()).traits().needs();
        LabelColumns.move(folder.resolve(KeptHoldout.COLUMNS), labels(),
                name -> needs.contains(name)
                        || program.filter(source -> source.contains("'" + name + "'")
                                || source.contains('"' + name + '"')).isPresent());
    }
}

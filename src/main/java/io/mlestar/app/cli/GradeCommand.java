package io.mlestar.app.cli;

import io.mlestar.adapter.grade.Grade;
import io.mlestar.adapter.grade.MetricProgram;
import io.mlestar.adapter.grade.Submissions;
import io.mlestar.adapter.grade.Table;
import io.mlestar.adapter.grade.TaskTables;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.start.YamlFile;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.DataTables;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.show.report.RunGrade;
import io.mlestar.show.view.MisplacedAnswers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Checks the form of a submission and, with hidden labels, its score.
@Command(name = "grade",
        description = "Check a submission against the sample submission and, with hidden labels, score it.",
        mixinStandardHelpOptions = true)
final class GradeCommand extends StoreCommand {
    private static final int MALFORMED = 1;

    @Option(names = "--task", paramLabel = "FILE",
            description = "task description; with --submission")
    @Nullable
    Path task;

    @Option(names = "--submission", paramLabel = "FILE", description = "CSV file; with --task")
    @Nullable
    Path submission;

    @Option(names = "--run", paramLabel = "RUN",
            description = "grade the submission of this run, and keep the grade with the run")
    @Nullable
    String run;

    @Option(names = "--labels", paramLabel = "FILE",
            description = "hidden labels, CSV with the submission's ids; may have a column weight")
    @Nullable
    Path labels;

    private record GradeInput(TaskDescription task, TaskTables tables, Table submission) {
        Path dataDir() {
            return tables.dataDir();
        }
    }

    @Override
    public Integer call() {
        if ((run == null) == (submission == null) || (submission == null) != (task == null)) {
            throw new Invalid("give --run RUN, or --task FILE and --submission FILE");
        }
        OpenedRun kept = run == null ? null : store.open(run);
        GradeInput given = kept != null
                ? fromRun(kept)
                : fromFiles(Objects.requireNonNull(task), Objects.requireNonNull(submission));
        if (labels != null) {
            outside(given.dataDir(), labels);
        }
        if (labels == null && given.tables().sample().isEmpty()) {
            String why = given.tables().unreadSample().map(said -> " (" + said + ")").orElse("");
            throw new Invalid(given.dataDir() + " holds no sample submission" + why
                    + ", and there are no --labels: nothing to check against");
        }
        List<String> problems = given.submission().problems();
        if (!problems.isEmpty()) {
            problems.forEach(problem -> System.err
                    .println("mlestar: " + given.submission().what() + ": " + problem));
            return MALFORMED;
        }
        Submissions.spellings(given.tables(), given.submission())
                .forEach(said -> System.err.println("mlestar: warning: " + said));
        if (labels == null) {
            System.out.println(
                    given.submission().what() + ": well formed, " + given.submission().rows().size()
                            + " rows");
            return 0;
        }
        Grade grade = graded(given, kept,
                Table.read("labels", labels, given.submission().format().keys()));
        MisplacedAnswers misplaced =
                kept == null
                        ? MisplacedAnswers.NONE
                        : MisplacedAnswers.of(kept.records(), kept.header().runId());
        if (misplaced.submission()) {
            System.err.println("mlestar: warning: " + misplaced.said().orElseThrow());
        } else if (kept != null) {
            RunGrade.keep(kept.records(), kept.header().runId(), grade);
        }
        return print(grade, grade.text() + (misplaced.submission()
                ? "\ndoes not count: the submission replays an answer recorded for another script"
                : ""));
    }

    /// Grades by the task's own metric.py where there is one, or by the one that an agent wrote for
    /// the run.
    private Grade graded(GradeInput given, @Nullable OpenedRun kept, Table truth) {
        Optional<String> source = MetricProgram.find(given.dataDir())
                .or(() -> kept == null
                        ? Optional.empty()
                        : MetricProgram.ofRun(kept.records(), kept.header().runId()));
        if (source.isEmpty()) {
            return Grade.of(given.task().evaluationMetric(), given.submission(), truth);
        }
        ScriptRunner scripts =
                new ScriptRunner(CompositionRoot.ofProcess().sandbox(), InstantSource.system());
        MetricProgram program = new MetricProgram(source.get(), scripts::beside);
        return Grade.of(program, given.task(), given.submission(), truth);
    }

    private static GradeInput fromFiles(Path task, Path submission) {
        TaskDescription described = YamlFile.task(task);
        Path data = task.toAbsolutePath().resolveSibling(described.dataDir()).normalize();
        if (!Files.isDirectory(data)) {
            throw new Invalid("data_dir " + data + " is not a folder");
        }
        TaskTables tables = TaskTables.of(data, found(data));
        return new GradeInput(described, tables, Submissions.read(tables,
                "submission " + submission, Table.open("submission " + submission, submission)));
    }

    /// Finds the tables with the program that a run begins with; empty where it cannot run.
    private static Optional<DataTables> found(Path data) {
        try {
            String printed = DataCommand.printed(CompositionRoot.ofProcess(), data,
                    SurveyScripts.form(DataCommand.SECONDS, "", List.of()));
            return Optional.ofNullable(DataReading.tables(printed));
        } catch (Invalid e) {
            return Optional.empty();
        }
    }

    private static GradeInput fromRun(OpenedRun kept) {
        String run = kept.header().runId();
        TaskDescription described = kept.header().task();
        Table submitted = RunGrade.submission(kept.records(), kept.header())
                .orElseThrow(() -> new Invalid("run " + run + " has no submission"));
        return new GradeInput(described,
                TaskTables.of(Path.of(described.dataDir()), kept.records(), run), submitted);
    }

    /// Scripts see all of the data folder, so labels in it are not hidden.
    private static void outside(Path dataDir, Path labels) {
        try {
            if (labels.toRealPath().startsWith(dataDir.toRealPath())) {
                throw new Invalid("labels " + labels
                        + " lie in the task's data_dir, where scripts can read them; move them out of "
                        + dataDir);
            }
        } catch (IOException e) {
            throw new Invalid("there is no file " + labels);
        }
    }
}

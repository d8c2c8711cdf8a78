package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.grade.MetricProgram;
import io.mlestar.app.cli.draft.DataForm;
import io.mlestar.app.cli.draft.DataPlace;
import io.mlestar.app.cli.draft.DescriptionFile;
import io.mlestar.app.cli.draft.TaskDraft;
import io.mlestar.app.cli.draft.Unpacking;
import io.mlestar.app.console.Terminal;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.Doctor;
import io.mlestar.app.program.Doctor.Finding;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.show.render.Formats;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Makes a task file of a folder with data, and prints the command that begins a run.
@Command(name = "new",
        description = "Look at the data in a folder and write a task file for them; say what a run needs, asks and costs.",
        mixinStandardHelpOptions = true)
final class NewCommand implements Callable<Integer> {
    /// Matches text that looks like the path of a file.
    private static final Pattern PATH = Pattern.compile("\\S*/\\S*|\\S+\\.(?i:md|txt|html)");

    @Parameters(paramLabel = "FOLDER",
            description = "folder with the data, or with a folder input of them; or a zip as it was downloaded")
    Path folder;

    @Option(names = "--target", paramLabel = "COLUMN",
            description = "what is to be predicted; several with commas between")
    @Nullable
    String target;

    @Option(names = "--metric", paramLabel = "NAME",
            description = "how submissions are scored, e.g. \"ROC-AUC\"")
    @Nullable
    String metric;

    @Option(names = "--direction", paramLabel = "WORD",
            description = "maximize or minimize, for a metric that is not known here")
    @Nullable
    String direction;

    @Option(names = "--description", paramLabel = "FILE|TEXT",
            description = "what the agents read of the task (default: made from the data)")
    @Nullable
    String description;

    @Option(names = "--id", paramLabel = "NAME",
            description = "name of the task (default: that of the folder)")
    @Nullable
    String id;

    @Option(names = "--out", paramLabel = "FILE",
            description = "where to write the task file (default: beside the data)")
    @Nullable
    Path out;

    @Option(names = "--model", paramLabel = "PROVIDER:NAME",
            description = "the model that a run would ask")
    @Nullable
    String model;

    @Option(names = "--yes", description = "ask nothing, and take what was guessed")
    boolean yes;

    @Option(names = "--json", description = "print what was found as JSON, and ask nothing")
    boolean json;

    @Override
    public Integer call() {
        CompositionRoot root = CompositionRoot.ofProcess();
        ObjectNode explicit = SettingsOption.ofModel(model);
        PipelineConfig config = root.config(explicit);
        root.models().check(config.models().model());
        TaskDraft.Wishes given =
                new TaskDraft.Wishes(id, target, metric,
                        direction == null ? null : TaskDraft.direction(direction),
                        description == null ? null : described(description));
        DataPlace place = DataPlace.of(folder, out);
        TaskDraft draft = place.archive()
                .map(archive -> unpacked(root, place, archive, given))
                .orElseGet(() -> written(root, place, place.data(), given));
        Path here = Path.of("").toAbsolutePath();
        Path written = place.file();
        String file =
                (written.startsWith(here) ? here.relativize(written) : written).toString();
        if (!json) {
            // First, since a look at machine and model takes a while.
            System.out.println("wrote      " + file);
            draft.facts()
                    .forEach((what, found) -> System.out.printf(Locale.ROOT, "%-10s %s%n", what,
                            found));
            draft.contradictions().forEach(warning -> System.out.println("warning    " + warning));
        }
        PlanCommand.PresetForecasts runs = PlanCommand.PresetForecasts.of(root, explicit);
        List<Finding> findings =
                new Doctor("", config, false, root).beforeRun(draft.task().dataModality());
        say(place, file, draft, findings, runs);
        return 0;
    }

    private TaskDraft unpacked(
            CompositionRoot root,
            DataPlace place,
            Path archive,
            TaskDraft.Wishes given) {
        try (Unpacking unpacking = Unpacking.of(archive, place.aside())) {
            return written(root, place, unpacking.folder(), given);
        }
    }

    /// @param data folder where the data are now
    private TaskDraft written(
            CompositionRoot root,
            DataPlace place,
            Path data,
            TaskDraft.Wishes given) {
        new DataSets(root.environment()).found(data.toString(), Path.of(""));
        Optional<DescriptionFile> found = given.description() != null
                ? Optional.empty()
                : DescriptionFile.with(place, data);
        TaskDraft.Wishes wishes = found.map(file -> given.describedBy(file.text())).orElse(given);
        Optional<TaskDraft.Questions> questions =
                yes || json ? Optional.empty() : TerminalQuestions.ofProcess();
        DataForm form = form(root, data, wishes, wishes.targets());
        DataForm.Obstacle wrong = form.wrong();
        if (questions.isPresent() && wrong != null && !wrong.candidates().isEmpty()) {
            List<String> candidates = wrong.candidates();
            String target = questions.get()
                    .ask(
                            "Which column is to be predicted ("
                                    + Formats.line(String.join(", ", candidates), 200) + ")?",
                            Optional.of(candidates.getFirst())
                                    .filter(_ -> candidates.size() == 1));
            form = form(root, data, wishes, target);
        }
        TaskDraft draft = TaskDraft.of(form, place.name(), place.dataDir(), wishes, questions,
                MetricProgram.find(data).isPresent());
        draft = found.isEmpty()
                ? draft
                : draft.with("described",
                        "by " + found.get().name()
                                + ", which lies with the data; --description gives another text");
        place.keep(draft.yaml());
        return draft;
    }

    private static DataForm form(
            CompositionRoot root,
            Path data,
            TaskDraft.Wishes wishes,
            @Nullable String targets) {
        List<String> columns =
                targets == null
                        ? List.of()
                        : Arrays.stream(targets.split(",", -1)).map(String::strip).toList();
        String printed;
        try {
            printed = DataCommand.printed(root, data, SurveyScripts.form(DataCommand.SECONDS,
                    Objects.requireNonNullElse(wishes.description(), ""), columns));
        } catch (Invalid e) {
            return DataForm.unknown(e.getMessage());
        }
        return DataForm.read(printed).orElseThrow(() -> new Invalid(DataCommand.NOTHING));
    }

    /// @throws Invalid if it is a file that cannot be read, or looks like the path of one that is
    ///   not there
    private static String described(String given) {
        try {
            if (Files.isRegularFile(Path.of(given))) {
                return DescriptionFile.of(Path.of(given)).text();
            }
        } catch (InvalidPathException e) {
            // It is no path but the text itself.
        }
        if (PATH.matcher(given).matches()) {
            throw new Invalid("--description: there is no file " + given);
        }
        return DescriptionFile.stripped(given);
    }

    private void say(
            DataPlace place,
            String file,
            TaskDraft draft,
            List<Finding> findings,
            PlanCommand.PresetForecasts runs) {
        if (json) {
            ObjectNode all = Json.object().put("task_file", place.file().toString());
            all.set("task", Json.tree(draft.task()));
            draft.facts().forEach(all.withObject("why")::put);
            draft.contradictions().forEach(all.withArray("warnings")::add);
            all.set("findings", UpkeepCommands.json(findings));
            all.set("presets", runs.json());
            System.out.println(Json.text(all));
            return;
        }
        findings.forEach(finding -> System.out.println(finding.line()));
        System.out.println();
        runs.lines().forEach(System.out::println);
        System.out.println();
        System.out.println(
                "Look at " + file + ": the agents know what it says, and nothing else. Then");
        runs.commands(file).forEach(System.out::println);
    }

    /// Asks the user at the terminal, one question after the other.
    private record TerminalQuestions(BufferedReader in) implements TaskDraft.Questions {
        /// The process's own; empty if it has none.
        static Optional<TaskDraft.Questions> ofProcess() {
            return Terminal.input().map(TerminalQuestions::new);
        }

        @Override
        public String ask(String question, Optional<String> usual) {
            while (true) {
                System.err.print(question + usual.map(word -> " [" + word + "] ").orElse(" "));
                System.err.flush();
                String said;
                try {
                    said = in.readLine();
                } catch (IOException e) {
                    throw new Invalid("the terminal cannot be read: " + e.getMessage());
                }
                if (said == null) {
                    System.err.println();
                    throw new Invalid("there is no answer; --yes takes what was guessed");
                }
                if (!said.isBlank()) {
                    return said.strip();
                }
                if (usual.isPresent()) {
                    return usual.get();
                }
            }
        }
    }
}

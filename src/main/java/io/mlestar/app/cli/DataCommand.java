package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.DataPush;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.grade.TaskProgram;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.ExitCode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.DataCard;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.StrongSearch;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows what is in data sets, and uploads them to a bucket.
@Command(name = "data",
        description = "Look at data sets, and bring them to where all machines find them.",
        mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND",
        subcommands = {DataCommand.Push.class, DataCommand.Card.class, DataCommand.Form.class})
final class DataCommand implements Callable<Integer> {
    /// The time limit of a script that looks at the data.
    static final int SECONDS = 60;
    private static final int LONGEST_FORM = 1 << 20;
    static final String NOTHING = "the script that looks at the data found nothing out";

    @Override
    public Integer call() {
        return ExitCode.said(
                "say which: mlestar data card DIR, mlestar data form DIR, or mlestar data push DIR s3://BUCKET/PREFIX",
                ExitCode.BAD_INPUT);
    }

    private static Path folder(String data) {
        DataSets sets = new DataSets(CompositionRoot.ofProcess().environment());
        return sets.local(sets.found(data, Path.of("")));
    }

    private static String printed(String data, String script) {
        return printed(CompositionRoot.ofProcess(), folder(data), script);
    }

    /// Runs a script of the program on the data, in the sandbox as a run does, and returns its
    /// output.
    ///
    /// @throws Invalid if it printed nothing
    static String printed(CompositionRoot root, Path folder, String script) {
        EvaluationResult result = new ScriptRunner(root.sandbox(), InstantSource.system())
                .runAlone(new RunScript(script, RunScript.Kind.DATA_CARD, SECONDS), folder)
                .evaluation();
        if (result.stdout().isBlank()) {
            throw new Invalid(NOTHING + ": " + result.stderr().strip());
        }
        return result.stdout();
    }

    @Command(name = "push",
            description = "Bring a folder into a bucket; again after a failure sends what is missing.",
            mixinStandardHelpOptions = true)
    static final class Push implements Callable<Integer> {
        @Parameters(paramLabel = "DIR", index = "0")
        Path folder;

        @Parameters(paramLabel = "s3://BUCKET/PREFIX", index = "1")
        String address;

        @Override
        public Integer call() {
            if (!address.startsWith("s3://")) {
                throw new Invalid("the place for the data must be s3://BUCKET/PREFIX, but is \""
                        + address + "\"");
            }
            DataPush.PushResult pushed =
                    new DataPush(address, CompositionRoot.ofProcess().environment()).push(folder);
            System.err.printf(Locale.ROOT, "%d files, %d bytes; %d sent, %d were there%n",
                    pushed.files(), pushed.bytes(), pushed.sent(), pushed.files() - pushed.sent());
            System.out.println("data_dir: " + address + "#" + pushed.digest());
            return 0;
        }
    }

    @Command(name = "card",
            description = "Print the data card that the agents of a run read; runs the same script in the sandbox and asks no model.",
            mixinStandardHelpOptions = true)
    static final class Card implements Callable<Integer> {
        @Parameters(paramLabel = "DIR", description = "A folder, or s3://BUCKET/PREFIX.")
        String data;

        @Override
        public Integer call() {
            DataCard card = DataReading.read(printed(data, SurveyScripts.dataCard(SECONDS)));
            if (!card.isKnown()) {
                throw new Invalid(NOTHING);
            }
            card.lines().forEach(System.out::println);
            // The survey of a run compares test and training rows when it chooses the rows to hide.
            String hiding =
                    printed(data, SurveyScripts.holdout(SECONDS, StrongSearch.USUAL_FOLDS, ""));
            SurveyScripts.printed(hiding, LONGEST_FORM)
                    .map(said -> said.path("differs").asText())
                    .filter(differs -> !differs.isEmpty())
                    .ifPresent(differs -> System.out
                            .println("Test and training: " + DataReading.plain(differs)));
            return 0;
        }
    }

    @Command(name = "form",
            description = "Say what one example is, what names it, and where its files and its label stand; asks no model.",
            mixinStandardHelpOptions = true)
    static final class Form implements Callable<Integer> {
        @Parameters(paramLabel = "DIR", description = "A folder, or s3://BUCKET/PREFIX.")
        String data;

        @Option(names = "--json", description = "Print it as JSON.")
        boolean json;

        @Override
        public Integer call() {
            JsonNode said =
                    SurveyScripts
                            .printed(printed(data, SurveyScripts.form(SECONDS, "", List.of())),
                                    LONGEST_FORM)
                            .orElseThrow(() -> new Invalid(NOTHING));
            boolean isSplit = TaskProgram.SPLIT.find(folder(data)).isPresent();
            if (json) {
                System.out
                        .println(Json.text(((ObjectNode) said.path("form")).put("split", isSplit)));
            } else {
                said.path("lines")
                        .forEach(line -> System.out.println(DataReading.plain(line.asText())));
                if (isSplit) {
                    System.out.println(
                            "hidden rows: by split.py, whatever the form is; `mlestar plan` checks it");
                }
            }
            return said.path("form").has("why") && !isSplit ? ExitCode.BAD_INPUT : 0;
        }
    }
}

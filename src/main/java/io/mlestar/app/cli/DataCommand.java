package io.mlestar.app.cli;

import io.mlestar.adapter.bucket.DataPush;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.ExitCode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.DataCard;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Data sets: what is in them, and bringing them into a bucket.
@Command(name = "data", description = "Look at data sets, and bring them to where all machines find them.", mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND", subcommands = {DataCommand.Push.class, DataCommand.Card.class})
final class DataCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        return ExitCode.said("say which: mlestar data card DIR, or mlestar data push DIR s3://BUCKET/PREFIX", ExitCode.BAD_INPUT);
    }

    /// Brings one there.
    @Command(name = "push", description = "Bring a folder into a bucket; again after a failure sends what is missing.",
            mixinStandardHelpOptions = true)
    static final class Push implements Callable<Integer> {
        @Parameters(paramLabel = "DIR", index = "0")
        Path folder;

        @Parameters(paramLabel = "s3://BUCKET/PREFIX", index = "1")
        String address;

        @Override
        public Integer call() {
            DataPush.Pushed pushed = new DataPush(address, CompositionRoot.ofProcess().environment()).push(folder);
            System.err.printf(Locale.ROOT, "%d files, %d bytes; %d sent, %d were there%n", pushed.files(), pushed.bytes(), pushed.sent(),
                    pushed.files() - pushed.sent());
            System.out.println("data_dir: " + address + "#" + pushed.digest());
            return 0;
        }
    }

    /// Shows what the agents of a run would be told of one.
    @Command(name = "card", description = "Print what the agents of a run are told of these data; runs the same script, shut in, and asks no model.",
            mixinStandardHelpOptions = true)
    static final class Card implements Callable<Integer> {
        @Parameters(paramLabel = "DIR", description = "A folder, or s3://BUCKET/PREFIX.")
        String data;

        @Override
        public Integer call() {
            CompositionRoot root = CompositionRoot.ofProcess();
            DataSets sets = new DataSets(root.environment());
            Path folder = sets.local(sets.found(data, Path.of("")));
            DataCard card = DataReading.read(DataProbe.printed(root, folder, SurveyScripts.dataCard(DataProbe.SECONDS)));
            if (!card.isKnown()) {
                throw new Invalid(DataProbe.NOTHING);
            }
            card.lines().forEach(System.out::println);
            return 0;
        }
    }
}

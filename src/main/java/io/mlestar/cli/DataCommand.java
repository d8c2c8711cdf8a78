package io.mlestar.cli;

import io.mlestar.bucket.DataPush;
import io.mlestar.program.CompositionRoot;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Data sets in a bucket.
@Command(name = "data", description = "Bring data sets to where all machines find them.", mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND", subcommands = DataCommand.Push.class)
final class DataCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        System.err.println("mlestar: say which: mlestar data push DIR s3://BUCKET/PREFIX");
        return Mlestar.BAD_INPUT;
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
}

package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.cli.local.LocalRun;
import io.mlestar.app.console.LogSettings;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.start.RunRequest;
import io.mlestar.app.start.RunRequest.Fork;
import io.mlestar.app.start.RunRequest.NewTask;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.show.view.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands that begin a run and conduct it in this process.
final class RunCommands {
    private RunCommands() {}

    /// The options for the output of a command that conducts a run.
    static final class OutputOptions {
        @Option(names = "--json", description = "print the final result as JSON")
        boolean json;

        @Option(names = "--quiet", description = "print the result only")
        boolean quiet;

        /// Conducts a run to its end and prints how it ended.
        ///
        /// @return the exit code
        int conduct(
                CompositionRoot root,
                Records records,
                RunHeader header,
                StoreOption store,
                LogSettings log) {
            LocalRun run = new LocalRun(root, records, header, store.address, log, quiet);
            run.toTheEnd();
            return run.print(store.words(), json);
        }
    }

    /// Runs the whole pipeline on this machine, or carries on where a run of that id stood.
    @Command(name = "run",
            description = "Run the whole pipeline on this machine; the same --run-id again resumes it.",
            mixinStandardHelpOptions = true)
    static final class RunCommand implements Callable<Integer> {
        @Option(names = "--task", required = true, paramLabel = "FILE",
                description = "task description, YAML or JSON")
        Path task;

        @Option(names = "--config", paramLabel = "FILE",
                description = "configuration, YAML or JSON")
        @Nullable
        Path config;

        @Mixin
        SettingsOption settings;

        @Option(names = "--run-id", paramLabel = "ID",
                description = "name of the run (default: made from the task and the time)")
        @Nullable
        String runId;

        @Option(names = "--record", paramLabel = "FOLDER",
                description = "keep the answers of the run in FOLDER, for --model recorded:FOLDER")
        @Nullable
        Path record;

        @Mixin
        OutputOptions output;

        @Mixin
        StoreOption store;

        @Override
        public Integer call() {
            CompositionRoot root = CompositionRoot.ofProcess();
            NewTask described = NewTask.of(task);
            ObjectNode given = settings.over(config);
            LogSettings log = LogSettings.taken(given, root.environment());
            if (record != null && Files.exists(record) && !Files.isDirectory(record)) {
                throw new Invalid("--record must be a folder, but " + record + " is a file");
            }
            Records records = store.open();
            RunHeader header =
                    LocalRun.prepare(root, records,
                            new RunRequest(Optional.ofNullable(runId), described, given));
            int code = output.conduct(root, records, header, store, log);
            if (record != null) {
                new Recording(records, header.runId()).export(record);
            }
            return code;
        }
    }

    @Command(name = "fork",
            description = "Start a run that shares what RUN has finished, but for STEP and what depends on it.",
            mixinStandardHelpOptions = true)
    static final class ForkCommand implements Callable<Integer> {
        @Parameters(paramLabel = "RUN")
        String run;

        @Option(names = "--at", required = true, paramLabel = "STEP",
                description = "the first step to be done anew, e.g. phase2-path1/block1")
        String at;

        @Option(names = "--run-id", paramLabel = "ID",
                description = "name of the new run (default: RUN-2, RUN-3, ...)")
        @Nullable
        String runId;

        @Mixin
        OutputOptions output;

        @Mixin
        SettingsOption settings;

        @Mixin
        StoreOption store;

        @Override
        public Integer call() {
            OpenedRun opened = store.open(run);
            Records records = opened.records();
            String step = opened.step(at).inside();
            CompositionRoot root = CompositionRoot.ofProcess();
            ObjectNode given = settings.onto(opened.header().config());
            LogSettings log = LogSettings.taken(given, root.environment());
            Fork basis = new Fork(run, step, List.of());
            RunHeader fork = LocalRun.prepare(root, records,
                    new RunRequest(Optional.ofNullable(runId), basis, given));
            return output.conduct(root, records, fork, store, log);
        }
    }
}

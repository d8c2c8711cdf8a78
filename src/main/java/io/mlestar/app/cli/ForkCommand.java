package io.mlestar.app.cli;

import io.mlestar.app.program.CompositionRoot;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What if: a new run that shares what another has finished, but for a step and what depends on it.
@Command(name = "fork", description = "Start a run that shares what RUN has finished, but for STEP and what depends on it.",
        mixinStandardHelpOptions = true)
final class ForkCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RUN")
    String run;

    @Option(names = "--at", required = true, paramLabel = "STEP", description = "the first step to be done anew, e.g. phase2-path1/block1")
    String at;

    @Option(names = "--run-id", paramLabel = "ID", description = "name of the new run (default: RUN-2, RUN-3, ...)")
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
        StoreOption.Kept kept = store.open(run);
        Records records = kept.records();
        String step = StepArgument.known(records, run, at).inside();
        CompositionRoot root = CompositionRoot.ofProcess();
        RunHeader fork =
                RunLauncher.launch(root).fork(records, run, step, List.of(), Optional.ofNullable(runId), settings.onto(kept.header().config()), Instant.now());
        if (records.header(fork.runId()).isPresent()) {
            throw new Invalid("there is a run " + fork.runId() + " already; use another --run-id");
        }
        return RunLauncher.run(root, records, fork, store, output);
    }
}

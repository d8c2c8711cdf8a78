package io.mlestar.cli;

import io.mlestar.report.RunState;
import io.mlestar.task.Json;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Where a run stands.
@Command(name = "status", description = "Say where a run stands.", mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RUN")
    String run;

    @Option(names = "--json", description = "print it as JSON")
    boolean json;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        StoreOption.Kept kept = store.open(run);
        RunState state = RunState.of(kept.records(), kept.header(), Instant.now());
        System.out.println(json ? Json.text(state) : state.text());
        return 0;
    }
}

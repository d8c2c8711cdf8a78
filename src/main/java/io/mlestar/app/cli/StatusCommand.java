package io.mlestar.app.cli;

import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.LocalLock;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Where a run stands.
@Command(name = "status", description = "Say where a run stands.", mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private static final Duration LATELY = Duration.ofSeconds(10);

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
        if (!json && isLeft(kept.records(), state)) {
            System.out.println("left       the process that ran it is gone; unless a server goes on with it, do so with: mlestar resume " + run
                    + " --store " + store.address);
        }
        return 0;
    }

    /// Whether the process that conducted the run is gone, and no other one has done anything since. What a cluster does cannot be seen.
    private boolean isLeft(Records records, RunState state) {
        return state.status() == RunStatus.RUNNING && !CompositionRoot.ofProcess().hasBroker() && !store.address.contains("://")
                && LocalLock.isLeft(records, run) && state.lastSign() != null && state.lastSign().plus(LATELY).isBefore(Instant.now());
    }
}

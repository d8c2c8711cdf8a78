package io.mlestar.app.cli;

import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.RunTable;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// All runs of a store.
@Command(name = "runs", description = "List the runs of a store, the latest first.", mixinStandardHelpOptions = true)
final class RunsCommand implements Callable<Integer> {
    @Option(names = "--json", description = "print them as JSON")
    boolean json;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        Records records = new Records(store.toRead());
        List<RunState> runs = RunState.all(records, Instant.now());
        System.out.println(json ? Json.text(runs) : RunTable.of(runs, ZoneId.systemDefault()));
        return 0;
    }
}

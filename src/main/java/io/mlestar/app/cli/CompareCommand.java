package io.mlestar.app.cli;

import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.show.view.Comparison;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Runs side by side.
@Command(name = "compare", description = "Compare runs: score, gain over the best single model, cost, time, and the settings that differ.",
        mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RUN", arity = "2..*", description = "2 to " + Comparison.MOST + " runs of the store")
    List<String> runs;

    @Option(names = "--json", description = "print them as JSON, with every new best score")
    boolean json;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        List<StoreOption.Kept> kept = Comparison.checked(runs).stream().map(store::open).toList();
        Records records = kept.getFirst().records();
        List<RunHeader> headers = kept.stream().map(StoreOption.Kept::header).toList();
        Comparison comparison = Comparison.of(records, headers, Instant.now());
        System.out.println(json ? Json.text(comparison) : comparison.text());
        return 0;
    }
}

package io.mlestar.cli;

import io.mlestar.records.Records;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Lets a run finish with the best so far.
@Command(name = "cancel", description = "Let a run finish now, with the best so far.", mixinStandardHelpOptions = true)
final class CancelCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RUN")
    String run;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        Records records = store.open(run).records();
        System.out.println("run " + run + (records.cancel(run) ? " will finish with the best so far"
                : records.hasEnded(run) ? " has ended already" : " is finishing already"));
        return 0;
    }
}

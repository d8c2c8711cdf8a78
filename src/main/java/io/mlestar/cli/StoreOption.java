package io.mlestar.cli;

import io.mlestar.program.CompositionRoot;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import picocli.CommandLine.Option;

/// Where the runs are kept.
final class StoreOption {
    @Option(names = "--store", paramLabel = "URI", defaultValue = "${env:MLE_STAR_STORE:-./runs-store}",
            description = "folder or s3://BUCKET/PREFIX that keeps the runs (default: ./runs-store, or MLE_STAR_STORE)")
    String address;

    /// How other commands are told of the same; empty if they need not be.
    String words() {
        return address.equals("./runs-store") || address.equals(CompositionRoot.ofProcess().environment().get("MLE_STAR_STORE")) ? "" : " --store " + address;
    }

    Records open() {
        return new Records(CompositionRoot.ofProcess().store(address));
    }

    /// A run that the store has.
    record Kept(Records records, RunHeader header) {}

    /// The run's id is looked at first: to open a store may make its folder.
    ///
    /// @throws Invalid if `run` is no run's id, or the store has no such run
    Kept open(String run) {
        StepPath.root(run);
        Records records = open();
        return new Kept(records, records.header(run)
                .orElseThrow(() -> new Invalid("there is no run \"" + run + "\" in the store " + address)));
    }
}

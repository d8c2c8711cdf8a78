package io.mlestar.cli;

import io.mlestar.run.Records;
import io.mlestar.run.RunHeader;
import io.mlestar.store.Stores;
import io.mlestar.task.Invalid;
import picocli.CommandLine.Option;

/// Where the runs are kept.
final class StoreOption {
    @Option(names = "--store", paramLabel = "URI", defaultValue = "${env:MLE_STAR_STORE:-./runs-store}",
            description = "folder or s3://BUCKET/PREFIX that keeps the runs (default: ./runs-store, or MLE_STAR_STORE)")
    String address;

    Records open() {
        return new Records(Stores.open(address));
    }

    /// @throws Invalid if the store has no such run
    RunHeader header(Records records, String run) {
        return records.header(run).orElseThrow(() -> new Invalid("there is no run \"" + run + "\" in the store " + address));
    }
}

package io.mlestar.app.cli;

import io.mlestar.app.program.CompositionRoot;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Spelling;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.PrunableStore;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Where the runs are kept.
final class StoreOption {
    @Option(names = "--store", paramLabel = "URI", defaultValue = "${env:MLE_STAR_STORE:-" + FolderStore.USUAL + "}",
            description = "folder or s3://BUCKET/PREFIX that keeps the runs (default: ./runs-store, or MLE_STAR_STORE)")
    String address;

    /// What other commands need to be given to use the same store; empty if nothing.
    String words() {
        return address.equals(FolderStore.USUAL) || address.equals(CompositionRoot.ofProcess().environment().get("MLE_STAR_STORE")) ? ""
                : " --store " + address;
    }

    Records open() {
        return new Records(CompositionRoot.ofProcess().store(address));
    }

    /// The store, for commands that only read: a folder that is not there counts as an empty store, and is not made.
    PrunableStore toRead() {
        return address.contains(":") || Files.exists(Path.of(address)) ? CompositionRoot.ofProcess().store(address) : new MemoryStore();
    }

    /// @throws Invalid if `run` is no run's id, or the store has no such run
    OpenedRun open(String run) {
        StepPath.root(run);
        Records records = new Records(toRead());
        return new OpenedRun(records, records.header(run)
                .orElseThrow(() -> new Invalid("there is no run \"" + run + "\" in the store " + address + Spelling.question(run, records.runs()))));
    }
}

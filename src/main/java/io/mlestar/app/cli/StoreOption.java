package io.mlestar.app.cli;

import io.mlestar.app.program.CompositionRoot;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Spelling;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
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

    /// How other commands are told of the same; empty if they need not be.
    String words() {
        return address.equals(FolderStore.USUAL) || address.equals(CompositionRoot.ofProcess().environment().get("MLE_STAR_STORE")) ? ""
                : " --store " + address;
    }

    Records open() {
        return new Records(CompositionRoot.ofProcess().store(address));
    }

    /// The store, for what needs one that is there: a folder that is none holds nothing, and is not made.
    PrunableStore toRead() {
        return address.contains(":") || Files.exists(Path.of(address)) ? CompositionRoot.ofProcess().store(address) : new MemoryStore();
    }

    /// A run that the store has.
    record Kept(Records records, RunHeader header) {}

    /// A run that takes what is said to it.
    ///
    /// @throws Invalid as [#open(String)], or if the run has ended
    Kept openToSteer(String run) {
        Kept kept = open(run);
        kept.records().refusal(run).ifPresent(why -> {
            throw new Invalid(why);
        });
        return kept;
    }

    /// @throws Invalid if `run` is no run's id, or the store has no such run
    Kept open(String run) {
        StepPath.root(run);
        Records records = new Records(toRead());
        return new Kept(records, records.header(run)
                .orElseThrow(() -> new Invalid("there is no run \"" + run + "\" in the store " + address + Spelling.question(run, records.runs()))));
    }
}

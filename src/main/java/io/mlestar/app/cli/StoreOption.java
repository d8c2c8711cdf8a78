package io.mlestar.app.cli;

import io.mlestar.app.program.CompositionRoot;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Spelling;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.PrunableStore;
import io.mlestar.core.store.StoreUnavailable;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// The option that names the store, which keeps the runs.
final class StoreOption {
    @Option(names = "--store", paramLabel = "URI",
            description = "folder or s3://BUCKET/PREFIX that keeps the runs (default: ./runs-store, or MLE_STAR_STORE)")
    String address = CompositionRoot.ofProcess()
            .environment()
            .getOrDefault("MLE_STAR_STORE", FolderStore.USUAL);

    /// The option with which other commands use the same store; empty if they need none.
    String words() {
        return address.equals(FolderStore.USUAL)
                || address.equals(CompositionRoot.ofProcess().environment().get("MLE_STAR_STORE"))
                        ? ""
                        : " --store " + address;
    }

    /// @throws Invalid if it is a folder that cannot be used
    Records open() {
        return new Records(store());
    }

    /// The store, for commands that only read: the usual folder, if it is not there, counts as an
    /// empty store, and is not made.
    ///
    /// @throws Invalid if another folder is not there, or cannot be used
    PrunableStore toRead() {
        boolean isThere = address.contains(":") || Files.exists(Path.of(address));
        if (!isThere && !address.isBlank() && !address.equals(FolderStore.USUAL)) {
            throw new Invalid(
                    "there is no folder " + address
                            + " that keeps runs; is --store or MLE_STAR_STORE right?");
        }
        return isThere || address.isBlank() ? store() : new MemoryStore();
    }

    private PrunableStore store() {
        try {
            return CompositionRoot.ofProcess().store(address);
        } catch (StoreUnavailable e) {
            throw address.contains(":") ? e : new Invalid(e.getMessage());
        }
    }

    /// @throws Invalid if `run` is no run's id, or the store has no such run
    OpenedRun open(String run) {
        StepPath.root(run);
        Records records = new Records(toRead());
        return new OpenedRun(records,
                records.header(run)
                        .orElseThrow(() -> new Invalid(
                                "there is no run \"" + run + "\" in the store " + address
                                        + Spelling.question(run, records.runs()))));
    }
}

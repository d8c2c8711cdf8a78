package io.mlestar.bucket;

import io.mlestar.store.FolderStore;
import io.mlestar.store.MemoryStore;
import io.mlestar.store.PrunableStore;
import io.mlestar.task.Invalid;
import java.nio.file.Path;
import java.util.Map;

/// Opens a store by its address.
public final class Stores {
    private Stores() {}

    /// @param address a folder, `s3://bucket/prefix` (see [S3Settings]), or `memory:` for one that is gone with the process
    /// @param environment where the settings of a bucket are
    /// @throws Invalid if the kind of store is unknown, or its settings are wrong
    public static PrunableStore open(String address, Map<String, String> environment) {
        if (address.equals(MemoryStore.ADDRESS)) {
            return new MemoryStore();
        }
        if (address.startsWith("s3://")) {
            return new S3Store(S3Settings.of(address, environment));
        }
        if (address.contains("://")) {
            throw new Invalid("store \"" + address + "\" must be a folder or s3://BUCKET/PREFIX");
        }
        return new FolderStore(Path.of(address));
    }
}

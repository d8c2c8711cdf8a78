package io.mlestar.store;

import io.mlestar.task.Invalid;
import java.nio.file.Path;

/// Opens a store by its address.
public final class Stores {
    private Stores() {}

    /// @param address a folder, or `memory:` for one that is gone with the process
    /// @throws Invalid if the kind of store is unknown
    public static Store open(String address) {
        if (address.equals("memory:")) {
            return new MemoryStore();
        }
        if (address.contains("://")) {
            throw new Invalid("store \"" + address + "\": this version keeps runs in a folder only; give a path");
        }
        return new FolderStore(Path.of(address));
    }
}

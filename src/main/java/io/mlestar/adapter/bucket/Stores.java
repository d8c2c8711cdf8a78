package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.PrunableStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

/// Opens a store by its address.
public final class Stores {
    /// Matches an address that is no folder but a slip of the pen, such as `s3:/bucket`.
    private static final Pattern SCHEME =
            Pattern.compile("(?i)(s3a?|gs|abfss?|wasbs?|https?|ftp|file|memory):.*");

    private Stores() {}

    /// @param address a folder, `s3://bucket/prefix` (see [S3Settings]), or `memory:` for one that
    ///   is gone with the process
    /// @param environment where the settings of a bucket are
    /// @throws Invalid if the kind of store is unknown, or its settings are wrong
    public static PrunableStore open(String address, Map<String, String> environment) {
        if (address.equals(MemoryStore.ADDRESS)) {
            return new MemoryStore();
        }
        if (address.startsWith("s3://")) {
            return new S3Store(S3Settings.of(address, environment));
        }
        if (address.isBlank() || address.contains("://") || SCHEME.matcher(address).matches()) {
            throw new Invalid("store \"" + address + "\" must be a folder or s3://BUCKET/PREFIX");
        }
        return new FolderStore(Path.of(address));
    }

    /// Looks whether scripts that see the data would see the runs.
    ///
    /// @param data a folder, or the address of a data set
    /// @param store its address; it need not be there yet
    /// @throws Invalid if one lies in the other; in a bucket, data may lie beside the runs of a
    ///   store
    public static void checkApart(String data, String store) {
        boolean together;
        if (data.startsWith("s3://") && store.startsWith("s3://")) {
            together = overlap(data.replaceFirst("/*(#.*)?$", "/"),
                    store.replaceFirst("/*$", "/runs/"), String::startsWith);
        } else {
            together = !data.contains("://") && !store.contains(":")
                    && overlap(SharedFolders.real(Path.of(data)),
                            SharedFolders.real(Path.of(store)), Path::startsWith);
        }
        if (together) {
            throw new Invalid(
                    "data_dir " + data + " and the store " + store
                            + ": one contains the other, so scripts would read the runs; keep them apart (--store)");
        }
    }

    /// Checks where a command writes for its user: what lies in the store is taken for a part of a
    /// run.
    ///
    /// @param store its address
    /// @throws Invalid if the file would lie in it
    public static void checkOutside(Path file, String store) {
        if (!store.contains(":")
                && SharedFolders.real(file).startsWith(SharedFolders.real(Path.of(store)))) {
            throw new Invalid(
                    file + " lies in the store " + store
                            + ", which keeps runs alone; name a place outside of it");
        }
    }

    private static <T> boolean overlap(T one, T other, BiPredicate<T, T> startsWith) {
        return startsWith.test(one, other) || startsWith.test(other, one);
    }
}

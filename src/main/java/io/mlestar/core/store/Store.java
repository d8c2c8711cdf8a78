package io.mlestar.core.store;

import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/// Objects by key, written once. Keys are paths of `/`-separated names. Nothing is ever changed or
/// deleted, so there are no locks and no leases: of several writers of one key exactly one wins.
///
/// Every method throws [StoreUnavailable] when the store cannot be reached or is full; trying again
/// later is right.
public interface Store {
    /// The number of objects that are read or written side by side where there are many: each
    /// mostly waits.
    int AT_ONCE = 12;

    /// Creates an object, whole or not at all. It outlives the process from the moment of return.
    ///
    /// @return false if the key exists; then nothing was written
    boolean create(String key, byte[] content);

    /// Creates an object as [#create(String, byte[])] does, from content that need not fit in
    /// memory. Closes the stream.
    boolean create(String key, InputStream content);

    Optional<byte[]> read(String key);

    /// Names directly below a folder, sorted; those of folders end with `/`. Empty if there is
    /// nothing.
    ///
    /// @param folder key prefix without the final `/`
    List<String> list(String folder);

    /// The address under which a user finds the object: an absolute path or a URI.
    String address(String key);
}

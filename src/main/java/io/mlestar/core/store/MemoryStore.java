package io.mlestar.core.store;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// A store that lasts as long as the process: for tests, benchmarks and single agent calls.
public final class MemoryStore implements PrunableStore {
    /// The address that names such a store.
    public static final String ADDRESS = "memory:";

    private final ConcurrentNavigableMap<String, byte[]> objects = new ConcurrentSkipListMap<>();

    @Override
    public boolean create(String key, byte[] content) {
        return objects.putIfAbsent(key, content.clone()) == null;
    }

    @Override
    public boolean create(String key, InputStream content) {
        try (content) {
            return create(key, content.readAllBytes());
        } catch (IOException e) {
            throw new StoreUnavailable("cannot read the content of " + key, e);
        }
    }

    @Override
    public Optional<byte[]> read(String key) {
        return Optional.ofNullable(objects.get(key)).map(byte[]::clone);
    }

    /// Goes from name to name, past what lies in the folders between.
    @Override
    public List<String> list(String folder) {
        String prefix = folder + "/";
        List<String> names = new ArrayList<>();
        String key = objects.ceilingKey(prefix);
        while (key != null && key.startsWith(prefix)) {
            int slash = key.indexOf('/', prefix.length());
            names.add(slash < 0
                    ? key.substring(prefix.length())
                    : key.substring(prefix.length(), slash + 1));
            // '0' is the character after '/'.
            key = slash < 0
                    ? objects.higherKey(key)
                    : objects.ceilingKey(key.substring(0, slash) + "0");
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public void delete(String key) {
        objects.remove(key);
    }

    @Override
    public String address(String key) {
        return ADDRESS + key;
    }
}

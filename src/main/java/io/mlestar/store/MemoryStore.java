package io.mlestar.store;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// A store that lasts as long as the process: for tests, benchmarks and single agent calls.
public final class MemoryStore implements Store {
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

    @Override
    public List<String> list(String folder) {
        String prefix = folder + "/";
        return objects.subMap(prefix, folder + "0").keySet().stream().map(key -> key.substring(prefix.length()))
                .map(name -> name.contains("/") ? name.substring(0, name.indexOf('/') + 1) : name).distinct().sorted().toList();
    }

    @Override
    public String address(String key) {
        return "memory:" + key;
    }
}

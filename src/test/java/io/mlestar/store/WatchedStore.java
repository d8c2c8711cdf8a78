package io.mlestar.store;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Notes what is read and listed.
public final class WatchedStore implements Store {
    private final Store inner;
    private final List<String> read = new ArrayList<>();
    private final List<String> listed = new ArrayList<>();

    public WatchedStore(Store inner) {
        this.inner = inner;
    }

    @Override
    public boolean create(String key, byte[] content) {
        return inner.create(key, content);
    }

    @Override
    public boolean create(String key, InputStream content) {
        return inner.create(key, content);
    }

    @Override
    public Optional<byte[]> read(String key) {
        read.add(key);
        return inner.read(key);
    }

    @Override
    public List<String> list(String folder) {
        listed.add(folder);
        return inner.list(folder);
    }

    @Override
    public String address(String key) {
        return inner.address(key);
    }

    public List<String> read() {
        return read;
    }

    public List<String> listed() {
        return listed;
    }

    public void forget() {
        read.clear();
        listed.clear();
    }
}

package io.mlestar.core.store;

import module java.base;

/// A store that hands everything on to another one; tests override what they want to see or to
/// break.
public abstract class ForwardingStore implements Store {
    private final Store inner;

    protected ForwardingStore(Store inner) {
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
        return inner.read(key);
    }

    @Override
    public List<String> list(String folder) {
        return inner.list(folder);
    }

    @Override
    public String address(String key) {
        return inner.address(key);
    }
}

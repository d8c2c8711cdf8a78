package io.mlestar.core.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Notes what is read and listed.
public final class WatchedStore extends ForwardingStore {
    private final List<String> read = Collections.synchronizedList(new ArrayList<>());
    private final List<String> listed = Collections.synchronizedList(new ArrayList<>());

    public WatchedStore(Store inner) {
        super(inner);
    }

    @Override
    public Optional<byte[]> read(String key) {
        read.add(key);
        return super.read(key);
    }

    @Override
    public List<String> list(String folder) {
        listed.add(folder);
        return super.list(folder);
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

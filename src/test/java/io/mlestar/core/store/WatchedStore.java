package io.mlestar.core.store;

import module java.base;

/// Notes what is created, read and listed.
public final class WatchedStore extends ForwardingStore {
    private final List<String> created = Collections.synchronizedList(new ArrayList<>());
    private final List<String> read = Collections.synchronizedList(new ArrayList<>());
    private final List<String> listed = Collections.synchronizedList(new ArrayList<>());

    public WatchedStore(Store inner) {
        super(inner);
    }

    @Override
    public boolean create(String key, byte[] content) {
        created.add(key);
        return super.create(key, content);
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

    public List<String> created() {
        return created;
    }

    public List<String> read() {
        return read;
    }

    public List<String> listed() {
        return listed;
    }

    public void forget() {
        created.clear();
        read.clear();
        listed.clear();
    }
}

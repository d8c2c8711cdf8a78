package io.mlestar.core.store;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A bucket that answers `503 SlowDown` now and then (Amazon S3 API Reference, "Error responses"), also to what it has done already.
public final class FailingStore extends ForwardingStore {
    private static final int CALLS_PER_ERROR = 300;

    private final Random random;

    public FailingStore(Store inner, Random random) {
        super(inner);
        this.random = random;
    }

    @Override
    public boolean create(String key, byte[] content) {
        fail();
        boolean created = super.create(key, content);
        fail();
        return created;
    }

    @Override
    public Optional<byte[]> read(String key) {
        fail();
        return super.read(key);
    }

    @Override
    public List<String> list(String folder) {
        fail();
        return super.list(folder);
    }

    private void fail() {
        if (random.nextInt(CALLS_PER_ERROR) == 0) {
            throw new StoreUnavailable("503 SlowDown", null);
        }
    }
}

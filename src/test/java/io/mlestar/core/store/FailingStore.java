package io.mlestar.core.store;

import module java.base;

/// A bucket that answers `503 SlowDown` now and then (Amazon S3 API Reference, "Error responses"),
/// also to what it has done already.
public final class FailingStore extends ForwardingStore {
    private static final int CALLS_PER_ERROR = 300;

    private final Runnable failure;

    public FailingStore(Store inner, Random random) {
        this(inner, () -> {
            if (random.nextInt(CALLS_PER_ERROR) == 0) {
                throw new StoreUnavailable("503 SlowDown");
            }
        });
    }

    /// @param failure throws when the bucket fails
    public FailingStore(Store inner, Runnable failure) {
        super(inner);
        this.failure = failure;
    }

    @Override
    public boolean create(String key, byte[] content) {
        failure.run();
        boolean created = super.create(key, content);
        failure.run();
        return created;
    }

    @Override
    public Optional<byte[]> read(String key) {
        failure.run();
        return super.read(key);
    }

    @Override
    public List<String> list(String folder) {
        failure.run();
        return super.list(folder);
    }
}

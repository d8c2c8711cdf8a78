package io.mlestar.core.store;

import java.io.InputStream;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Keeps the objects that were read or written lately in memory, so that each is fetched once.
/// Objects never change, so a kept one is never out of date; an object that was missing, and what a
/// folder holds, is asked for again each time. That nothing can be written, as on a full disk, is
/// logged once, until it can again. For all threads.
public final class CachingStore implements Store {
    /// The bytes of the records of a run of some thousand steps. The least recently used objects
    /// leave first.
    private static final int CAPACITY = 8 << 20;
    /// The most bytes of an object that is kept. Larger objects are large outputs: they are read
    /// seldom, and one would displace many others.
    private static final int LARGEST = 64 << 10;
    /// The bytes that an entry takes beside its content.
    private static final int OVERHEAD = 256;

    private static final Logger LOG = Logger.getLogger("mle_star");

    private final Store store;
    private final AtomicReference<@Nullable String> refusal = new AtomicReference<>();
    private final LinkedHashMap<String, byte[]> contents = new LinkedHashMap<>(16, 0.75f, true);
    private int bytes;

    public CachingStore(Store store) {
        this.store = store;
    }

    @Override
    public boolean create(String key, byte[] content) {
        boolean created = written(() -> store.create(key, content));
        if (created) {
            keep(key, content);
        }
        return created;
    }

    @Override
    public boolean create(String key, InputStream content) {
        return written(() -> store.create(key, content));
    }

    /// The reason why nothing could be written at last; empty if something could.
    public Optional<String> refusal() {
        return Optional.ofNullable(refusal.get());
    }

    private boolean written(BooleanSupplier write) {
        try {
            boolean created = write.getAsBoolean();
            if (refusal.getAndSet(null) != null) {
                LOG.info("the store can be written again");
            }
            return created;
        } catch (StoreUnavailable e) {
            if (refusal.getAndSet(e.getMessage()) == null) {
                LOG.warnf("the store cannot be written, what needs it waits: %s", e.getMessage());
            }
            throw e;
        }
    }

    @Override
    public Optional<byte[]> read(String key) {
        Optional<byte[]> kept = kept(key);
        if (kept.isPresent()) {
            return kept;
        }
        Optional<byte[]> read = store.read(key);
        read.ifPresent(content -> keep(key, content));
        return read;
    }

    /// True if the object can be read without asking the store.
    public synchronized boolean keeps(String key) {
        return contents.containsKey(key);
    }

    private synchronized Optional<byte[]> kept(String key) {
        return Optional.ofNullable(contents.get(key)).map(byte[]::clone);
    }

    private synchronized void keep(String key, byte[] content) {
        if (content.length > LARGEST || contents.putIfAbsent(key, content.clone()) != null) {
            return;
        }
        bytes += content.length + OVERHEAD;
        for (Iterator<byte[]> eldest = contents.values().iterator(); bytes > CAPACITY;) {
            bytes -= eldest.next().length + OVERHEAD;
            eldest.remove();
        }
    }

    @Override
    public List<String> list(String folder) {
        return store.list(folder);
    }

    @Override
    public String address(String key) {
        return store.address(key);
    }
}

package io.mlestar.records;

import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// The records that were read or written lately, for all threads: as many as there is room for, of which those used least recently go first. None can be
/// out of date, since nothing in a store changes.
final class RecordCache {
    /// Of records as they are stored: all of a run of some thousand steps. To hold them takes about twice that.
    private static final int ROOM = 8 << 20;
    /// Those of large outputs are read seldom, and would take the room of many.
    private static final int LARGEST = 64 << 10;
    /// What keeping a record takes beside it.
    private static final int BESIDE = 256;

    private record Weighed(Object record, int bytes) {}

    private final LinkedHashMap<String, Weighed> records = new LinkedHashMap<>(16, 0.75f, true);
    private int bytes;

    /// Whether a record of that size is kept at all.
    static boolean keeps(int bytes) {
        return bytes <= LARGEST;
    }

    synchronized @Nullable Object get(String key) {
        Weighed known = records.get(key);
        return known == null ? null : known.record();
    }

    synchronized boolean has(String key) {
        return records.containsKey(key);
    }

    /// @param stored its size in the store, in bytes
    synchronized void put(String key, Object record, int stored) {
        if (!keeps(stored)) {
            return;
        }
        Weighed before = records.put(key, new Weighed(record, stored + BESIDE));
        bytes += stored + BESIDE - (before == null ? 0 : before.bytes());
        for (Iterator<Weighed> eldest = records.values().iterator(); bytes > ROOM;) {
            bytes -= eldest.next().bytes();
            eldest.remove();
        }
    }
}

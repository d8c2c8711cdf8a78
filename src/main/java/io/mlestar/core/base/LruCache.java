package io.mlestar.core.base;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// A cache for all threads that drops the least recently used entry first.
public final class LruCache {
    private LruCache() {}

    /// @param most entries that are kept
    public static <K, V> Map<K, V> of(int most) {
        return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        });
    }
}

package io.mlestar.core.task;

import io.mlestar.core.base.Invalid;
import org.jspecify.annotations.Nullable;

/// The price of a model in USD per million tokens.
///
/// @param cacheRead for input that the provider had cached; null is the price of input
/// @param cacheWrite for input that the provider put into its cache; null is the price of input
public record Price(
        double input,
        double output,
        @Nullable Double cacheRead,
        @Nullable Double cacheWrite) {
    private static final double MILLION = 1e6;

    public Price {
        for (Double price : new Double[] {input, output, cacheRead, cacheWrite}) {
            if (price != null && !(price >= 0 && price <= MILLION)) {
                throw new Invalid("prices must be from 0 to 1000000, but one is " + price);
            }
        }
    }

    /// The price of a model that has none of its own for a cache.
    public Price(double input, double output) {
        this(input, output, null, null);
    }

    /// @param inputTokens all input, cached or not
    public double of(long inputTokens, long outputTokens, long readFromCache, long writtenToCache) {
        long plain = Math.max(0, inputTokens - readFromCache - writtenToCache);
        return (plain * input + outputTokens * output
                + readFromCache * (cacheRead == null ? input : cacheRead)
                + writtenToCache * (cacheWrite == null ? input : cacheWrite)) / MILLION;
    }
}

package io.mlestar.core.engine;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/// The wall clock as it stood when the process began, moved on by the monotonic clock: setting the
/// machine's date forward or back during a run neither ends the run nor stalls it.
public final class SteadyClock implements InstantSource {
    private final Instant begin;
    private final long beginNanos;
    private final LongSupplier nanos;

    public SteadyClock() {
        this(InstantSource.system(), System::nanoTime);
    }

    SteadyClock(InstantSource wall, LongSupplier nanos) {
        this.begin = wall.instant();
        this.beginNanos = nanos.getAsLong();
        this.nanos = nanos;
    }

    @Override
    public Instant instant() {
        return begin.plusNanos(nanos.getAsLong() - beginNanos);
    }
}

package io.mlestar.run;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

/// The wall clock as it stood when the process began, moved on by a clock that nobody can set: a machine whose date is set
/// forward or back in the middle of a run neither ends the run nor lets it stand still.
public final class SteadyClock extends Clock {
    private final Instant begin;
    private final long beginNanos;
    private final LongSupplier nanos;

    public SteadyClock() {
        this(Clock.systemUTC(), System::nanoTime);
    }

    SteadyClock(Clock wall, LongSupplier nanos) {
        this.begin = wall.instant();
        this.beginNanos = nanos.getAsLong();
        this.nanos = nanos;
    }

    @Override
    public Instant instant() {
        return begin.plusNanos(nanos.getAsLong() - beginNanos);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /// Times are instants here; there is no other zone.
    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}

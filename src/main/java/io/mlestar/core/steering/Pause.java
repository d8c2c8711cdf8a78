package io.mlestar.core.steering;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// A time in which no new step of a run starts.
///
/// @param by who asked for it
/// @param until when it was lifted; null while it lasts
/// @param liftedBy who lifted it; null while it lasts
public record Pause(Instant at, String by, @Nullable Instant until, @Nullable String liftedBy) {
    /// Whether it lasts.
    public boolean isOpen() {
        return until == null;
    }

    /// When it began, to the second.
    public Instant begun() {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }

    /// When it was lifted, to the second; null while it lasts.
    public @Nullable Instant ended() {
        return until == null ? null : until.truncatedTo(ChronoUnit.SECONDS);
    }

    /// The same; an open one ends now.
    public Pause upTo(Instant now) {
        return isOpen() ? new Pause(at, by, now, by) : this;
    }

    /// Zero while it lasts, and if the clocks of begin and end disagree.
    public Duration length() {
        Duration length = until == null ? Duration.ZERO : Duration.between(at, until);
        return length.isNegative() ? Duration.ZERO : length;
    }
}

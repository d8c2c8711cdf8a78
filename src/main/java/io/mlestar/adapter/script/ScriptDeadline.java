package io.mlestar.adapter.script;

import io.mlestar.core.step.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.IntSupplier;

/// The time that a script may take (REQ-OR-024, REQ-OR-026): all that is left while no other waits
/// for a slot; each time another comes to wait, its share of what is left then. So the first script
/// does not use up the time of those whose models answer a second later.
final class ScriptDeadline {
    private final InstantSource clock;
    private final Window window;
    private final int slots;
    private final IntSupplier contenders;
    private final Instant begun;
    private final Instant latest;
    private Instant end;
    private int seen;

    /// @param most the longest that the script may take in any case
    /// @param slots how many scripts can run at once
    /// @param contenders how many run or wait now, this one included
    ScriptDeadline(
            InstantSource clock,
            Window window,
            Duration most,
            int slots,
            IntSupplier contenders) {
        this.clock = clock;
        this.window = window;
        this.slots = slots;
        this.contenders = contenders;
        begun = clock.instant();
        latest = earlier(window.end(), begun.plus(most));
        end = latest;
    }

    /// Total time from the script's start, as it looks now.
    Duration allowed() {
        int now = contenders.getAsInt();
        if (now <= slots) {
            end = latest;
        } else if (now > seen) {
            Instant instant = clock.instant();
            end = earlier(end, instant.plus(window.share(instant, slots, now)));
        }
        seen = now;
        return length();
    }

    /// The result of the last [#allowed].
    Duration length() {
        return end.isBefore(begun) ? Duration.ZERO : Duration.between(begun, end);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}

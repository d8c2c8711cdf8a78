package io.mlestar.engine;

import io.mlestar.records.LruCache;
import io.mlestar.records.Records;
import io.mlestar.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/// The steps that this process was the first to ask for, less than a second ago: none had a result then. Somebody may have ended one since, as somebody
/// may right after any look at the store; whether anybody else has begun it is found out by the attempt that is put on record before it is paid for.
final class JustAsked {
    /// What was seen earlier may have changed.
    static final Duration LONG_AGO = Duration.ofSeconds(1);
    private static final int MOST_REMEMBERED = 1_024;

    private final Records records;
    private final InstantSource clock;
    private final Map<StepPath, Instant> steps = LruCache.of(MOST_REMEMBERED);

    JustAsked(Records records, InstantSource clock) {
        this.records = records;
        this.clock = clock;
    }

    /// The store has a request of that step, of this process.
    void asked(StepPath step) {
        steps.put(step, clock.instant());
    }

    /// The store has a result of that step.
    void ended(StepPath step) {
        steps.remove(step);
    }

    /// Whether the step has a result.
    boolean hasEnded(StepPath step) {
        Instant asked = steps.get(step);
        return (asked == null || isLongAgo(asked)) && records.result(step).isPresent();
    }

    private boolean isLongAgo(Instant asked) {
        Duration age = Duration.between(asked, clock.instant());
        return age.isNegative() || age.compareTo(LONG_AGO) >= 0;
    }
}

package io.mlestar.core.engine;

import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;

/// Decides when a run has to be swept next: at intervals, and whenever the deadline of a step has
/// passed.
public final class SweepTimer implements Watcher {
    private static final Duration NOW_AND_THEN = Duration.ofSeconds(30);
    /// After the deadline of the run, which has to end now.
    private static final Duration AT_THE_END = Duration.ofSeconds(2);

    private final InstantSource clock;
    private final ConcurrentSkipListSet<Instant> deadlines = new ConcurrentSkipListSet<>();

    public SweepTimer(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void asked(RunHeader run, StepPath step, StepRequest request) {
        deadlines.add(request.deadline());
    }

    /// The time until the next sweep.
    ///
    /// @param limits of a run that may have begun in an earlier process, which knew deadlines that
    ///   this one does not
    public Duration pause(CurrentLimits limits) {
        Instant now = clock.instant();
        Duration late = limits.extension().plus(Sweep.SLACK);
        deadlines.headSet(now.minus(late), true).clear();
        Instant next = now.plus(now.isBefore(limits.deadline()) ? NOW_AND_THEN : AT_THE_END);
        for (Instant end : List.of(limits.finalizeAt().plus(Sweep.SLACK),
                limits.deadline().plus(CurrentLimits.GRACE).plus(Sweep.SLACK),
                deadlines.isEmpty() ? next : deadlines.first().plus(late))) {
            next = end.isAfter(now) && end.isBefore(next) ? end : next;
        }
        return Duration.between(now, next);
    }
}

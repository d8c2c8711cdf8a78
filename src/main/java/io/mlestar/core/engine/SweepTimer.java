package io.mlestar.core.engine;

import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentSkipListSet;

/// When the sweep has to look at a run next: now and then, and whenever a step's time is over, so that a run moves on though
/// no event comes.
public final class SweepTimer implements Watcher {
    private static final Duration NOW_AND_THEN = Duration.ofSeconds(30);
    /// Once the time is over: what is waited for then takes no time, and the run has to end.
    private static final Duration AT_THE_END = Duration.ofSeconds(2);

    private final InstantSource clock;
    private final ConcurrentSkipListSet<Instant> ends = new ConcurrentSkipListSet<>();

    public SweepTimer(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void asked(RunHeader run, StepPath step, StepRequest request) {
        ends.add(Gate.end(run, request).plus(Sweep.SLACK));
    }

    /// How long nobody need look.
    ///
    /// @param run with the limits that hold now; may have begun earlier, in a process that knew deadlines which this one does not
    public Duration pause(RunHeader run) {
        Instant now = clock.instant();
        ends.add(run.finalizeAt().plus(Sweep.SLACK));
        ends.add(run.deadline().plus(RunHeader.GRACE).plus(Sweep.SLACK));
        ends.headSet(now, true).clear();
        Instant later = now.plus(now.isBefore(run.deadline()) ? NOW_AND_THEN : AT_THE_END);
        Instant next = ends.isEmpty() ? later : ends.first();
        return Duration.between(now, next.isBefore(later) ? next : later);
    }
}

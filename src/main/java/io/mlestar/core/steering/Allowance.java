package io.mlestar.core.steering;

import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// What a run may take beyond the limits that it began with. Records never change: the deadlines of steps stay as they were written, and readers
/// add the allowance.
///
/// @param extensions more time or money, in the order in which they were given
/// @param pauses the time of which is given back once they are lifted
public record Allowance(List<Extension> extensions, List<Pause> pauses) {
    /// @param marks of the run: what they do not name is not read
    public static Allowance of(Store store, String run, RunMarks marks) {
        return new Allowance(marks.isExtended() ? new Extensions(store).of(run) : List.of(), marks.hasPauses() ? new Pauses(store).of(run) : List.of());
    }

    /// @param run as it began
    /// @return the limits that the run has now
    public CurrentLimits onto(RunHeader run) {
        Duration time = Stream.concat(extensions.stream().map(Extension::time), pauses.stream().map(Pause::length)).reduce(Duration.ZERO, Duration::plus);
        return CurrentLimits.of(run).extended(time, extensions.stream().mapToDouble(Extension::addUsd).sum());
    }
}

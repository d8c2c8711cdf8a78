package io.mlestar.core.steering;

import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.store.Store;
import java.time.Duration;
import java.util.List;

/// The time and money that a run may take beyond the limits that it began with. Records never
/// change: the deadlines of steps stay as they were written, and readers add the allowance.
///
/// @param extensions more time or money, in the order in which they were given
public record Allowance(List<Extension> extensions) {
    /// @param marks of the run: what they do not name is not read
    public static Allowance of(Store store, String run, RunMarks marks) {
        return new Allowance(marks.isExtended() ? new Extensions(store).of(run) : List.of());
    }

    /// @param run as it began
    /// @return the limits that the run has now
    public CurrentLimits onto(RunHeader run) {
        Duration time =
                extensions.stream().map(Extension::time).reduce(Duration.ZERO, Duration::plus);
        return CurrentLimits.of(run)
                .extended(time, extensions.stream().mapToDouble(Extension::addUsd).sum());
    }
}

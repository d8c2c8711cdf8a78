package io.mlestar.records;

import io.mlestar.store.Store;
import io.mlestar.task.Invalid;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// What a run was given beyond the limits that it began with, as `runs/<run>/extension-1.json` and so on, and the time for which it was paused, which
/// is given back. Nothing that is recorded changes: the deadlines of steps stay as they were written, and whoever looks adds what was given since.
public record Extensions(Store store) {
    private static final int MOST = 50;

    /// In the order in which they were given.
    public List<Extension> of(String run) {
        return all().of(run);
    }

    /// The run with the limits that hold now.
    ///
    /// @param run as it began
    public RunHeader onto(RunHeader run) {
        return onto(run, of(run.runId()), new Pauses(store).of(run.runId()));
    }

    /// @param given all that the run was given
    /// @param pauses whose time is given back once they are lifted
    public static RunHeader onto(RunHeader run, List<Extension> given, List<Pause> pauses) {
        Duration time = Stream.concat(given.stream().map(Extension::time), pauses.stream().map(Pause::length)).reduce(Duration.ZERO, Duration::plus);
        return given.isEmpty() && pauses.isEmpty() ? run : run.extended(time, given.stream().mapToDouble(Extension::addUsd).sum());
    }

    /// @param run as it began
    /// @return the run with the limits that hold now
    /// @throws Invalid if the run has no limit that could be raised, or was extended too often
    public RunHeader add(RunHeader run, Extension extension) {
        if (extension.addUsd() > 0 && run.config().maxBudgetUsd() == null) {
            throw new Invalid("run " + run.runId() + " has no max_budget_usd; there is nothing to add USD to");
        }
        if (!all().add(run.runId(), extension)) {
            throw new Invalid("run " + run.runId() + " has been extended " + MOST + " times; more is not taken");
        }
        return onto(run);
    }

    private NumberedRecords<Extension> all() {
        return new NumberedRecords<>(store, "extension", Extension.class, MOST);
    }
}

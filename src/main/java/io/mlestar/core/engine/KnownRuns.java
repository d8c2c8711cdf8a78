package io.mlestar.core.engine;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.steering.Allowance;

/// The runs that this process may work on.
record KnownRuns(Records records, Performer performer) {
    /// The run as it began.
    ///
    /// @throws Invalid if there is no such run
    RunHeader header(String run) {
        return records.header(run).orElseThrow(() -> new Invalid("there is no run " + run));
    }

    /// The run with the limits that hold now.
    RunHeader limited(String run) {
        return limited(run, records.marks(run));
    }

    /// The same, of one that was just looked at.
    RunHeader limited(String run, RunMarks marks) {
        return Allowance.of(records.store(), run, marks).onto(header(run));
    }

    /// @throws Invalid if this program may not go on with the run, since its prompts are not those that the run began with
    void checkPrompts(RunHeader run) {
        records.checkPrompts(run, performer.promptsDigest());
    }
}

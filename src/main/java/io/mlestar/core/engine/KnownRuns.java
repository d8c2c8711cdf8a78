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
        return limited(header(run), marks);
    }

    /// The same, of one whose header was just read.
    ///
    /// @param begun as it began
    RunHeader limited(RunHeader begun, RunMarks marks) {
        return Allowance.of(records.store(), begun.runId(), marks).onto(begun);
    }

    /// @throws Invalid if this program may not go on with the run, since its prompts are not those that the run began with
    void checkPrompts(RunHeader run) {
        records.checkPrompts(run, performer.promptsDigest());
    }
}

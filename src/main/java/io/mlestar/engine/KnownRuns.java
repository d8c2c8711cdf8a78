package io.mlestar.engine;

import io.mlestar.records.Allowance;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.RunMarks;
import io.mlestar.task.Invalid;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The runs that this process works on, each read once, until it has ended.
final class KnownRuns {
    private final Records records;
    private final Performer performer;
    private final Map<String, RunHeader> headers = new ConcurrentHashMap<>();
    private final Set<String> withRightPrompts = ConcurrentHashMap.newKeySet();

    KnownRuns(Records records, Performer performer) {
        this.records = records;
        this.performer = performer;
    }

    /// The run as it began.
    ///
    /// @throws Invalid if there is no such run
    RunHeader header(String run) {
        RunHeader known = headers.get(run);
        if (known == null) {
            known = records.header(run).orElseThrow(() -> new Invalid("there is no run " + run));
            headers.put(run, known);
        }
        return known;
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
        if (!withRightPrompts.contains(run.runId())) {
            records.checkPrompts(run, performer.promptsDigest());
            withRightPrompts.add(run.runId());
        }
    }

    void forget(String run) {
        headers.remove(run);
        withRightPrompts.remove(run);
    }
}

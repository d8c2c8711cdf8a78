package io.mlestar.core.steering;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.step.Note;
import io.mlestar.core.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/// The pauses of a run: the begin of each is `runs/<run>/pause-1.json` and so on, its end `resumed-1.json`. Each is written once, so of
/// many requests to pause a run, or to resume it, one succeeds, and all processes see the same.
public record Pauses(Store store) {
    private static final int MOST = 50;

    /// The begin of a pause, or its end.
    public record Edge(Instant at, String by) {}

    /// In the order in which they began; only the last one may be open.
    public List<Pause> of(String run) {
        List<Edge> begins = edges(RunMarks.PAUSE).of(run);
        List<Edge> ends = edges(RunMarks.RESUMED).of(run);
        return IntStream.range(0, begins.size()).mapToObj(i -> {
            Edge end = i < ends.size() ? ends.get(i) : null;
            return new Pause(begins.get(i).at(), begins.get(i).by(), end == null ? null : end.at(), end == null ? null : end.by());
        }).toList();
    }

    /// @return false if the run was paused before
    /// @throws Invalid if it has been paused too often
    public boolean begin(String run, Instant now, String by) {
        Edge begin = new Edge(now, Note.name(by));
        RunMarks marks = new Records(store).marks(run);
        if (marks.pauses() == MOST && !marks.isPaused()) {
            throw new Invalid("run " + run + " has been paused " + MOST + " times; more is not taken");
        }
        return !marks.isPaused() && edges(RunMarks.PAUSE).create(run, marks.pauses() + 1, begin);
    }

    /// @return false if the run was not paused
    public boolean lift(String run, Instant now, String by) {
        Edge end = new Edge(now, Note.name(by));
        RunMarks marks = new Records(store).marks(run);
        return marks.isPaused() && edges(RunMarks.RESUMED).create(run, marks.pauses(), end);
    }

    private NumberedRecords<Edge> edges(String prefix) {
        return new NumberedRecords<>(store, prefix, Edge.class, MOST);
    }
}

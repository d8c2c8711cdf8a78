package io.mlestar.core.steering;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader.Origin;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The notes that people give a run, as `runs/<run>/note-1.json` and so on. An answer is stored
/// with its prompt and the notes of that time, so a replay changes nothing.
public record Notes(Store store) {
    private static final int MOST = 50;

    /// The notes of a run in the order in which they were written.
    public List<Note> of(String run) {
        return all().of(run);
    }

    /// The notes for a run: those of the run that it comes from, up to the point where the two
    /// part, and then its own. A fork shares the steps that were done with these notes, and a run
    /// that is resumed as a new one still follows them.
    public List<Note> heardBy(RunHeader run) {
        Origin origin = run.origin();
        Stream<Note> before = origin == null ? Stream.empty() : before(new Records(store), origin);
        List<Note> all = Stream.concat(before, of(run.runId()).stream()).toList();
        return all.subList(Math.max(0, all.size() - MOST), all.size());
    }

    private Stream<Note> before(Records records, Origin origin) {
        Instant parting = Optional.ofNullable(origin.at())
                .flatMap(at -> records.request(new StepPath(origin.run(), at)))
                .map(StepRequest::askedAt)
                .orElse(origin.until());
        return records.header(origin.run())
                .stream()
                .flatMap(other -> heardBy(other).stream())
                .filter(note -> !note.at().isAfter(parting));
    }

    /// @throws Invalid if the run has been told too much already
    public void add(String run, Note note) {
        if (!all().add(run, note)) {
            throw new Invalid(
                    "run " + run + " has been told " + MOST + " notes; more are not taken");
        }
    }

    private NumberedRecords<Note> all() {
        return new NumberedRecords<>(store, "note-", Note.class, MOST);
    }
}

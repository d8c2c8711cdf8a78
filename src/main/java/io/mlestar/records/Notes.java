package io.mlestar.records;

import io.mlestar.step.Note;
import io.mlestar.store.Store;
import io.mlestar.task.Invalid;
import java.util.List;

/// What people have told a run, as `runs/<run>/note-1.json` and so on. An answer keeps the prompt that it was given, with the notes of then, and a
/// replay changes nothing.
public record Notes(Store store) {
    private static final int MOST = 50;

    /// In the order in which they were told.
    public List<Note> of(String run) {
        return all().of(run);
    }

    /// @throws Invalid if the run has been told too much already
    public void add(String run, Note note) {
        if (!all().add(run, note)) {
            throw new Invalid("run " + run + " has been told " + MOST + " notes; more are not taken");
        }
    }

    private NumberedRecords<Note> all() {
        return new NumberedRecords<>(store, "note", Note.class, MOST);
    }
}

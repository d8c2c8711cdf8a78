package io.mlestar.records;

import io.mlestar.step.Note;
import io.mlestar.step.StepPath;
import io.mlestar.store.Sealed;
import io.mlestar.store.Store;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What people have told a run, as `runs/<run>/note-1.json` and so on: each is written once, so that all see the same in the same order. An
/// answer keeps the prompt that it was given, with the notes of then, and a replay changes nothing.
public record Notes(Store store) {
    private static final int MOST = 50;

    /// In the order in which they were told.
    public List<Note> of(String run) {
        List<Note> notes = new ArrayList<>();
        for (Optional<byte[]> found = store.read(key(run, 1)); found.isPresent(); found = store.read(key(run, notes.size() + 1))) {
            String key = key(run, notes.size() + 1);
            notes.add(Json.read(Sealed.read(key, found.get()), Note.class));
        }
        return notes;
    }

    /// @throws Invalid if the run has been told too much already
    public void add(String run, Note note) {
        for (int number = of(run).size() + 1; number <= MOST; number++) {
            if (store.create(key(run, number), Sealed.bytes(Json.tree(note)))) {
                return;
            }
        }
        throw new Invalid("run " + run + " has been told " + MOST + " notes; more are not taken");
    }

    private static String key(String run, int number) {
        return Records.key(StepPath.root(run).run(), "note-" + number + ".json");
    }
}

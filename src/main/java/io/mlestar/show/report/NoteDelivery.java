package io.mlestar.show.report;

import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Note;
import io.mlestar.show.report.ReportModel.ToldNote;
import io.mlestar.show.view.StepView;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which step was the first to receive each note that people sent to a run. Takes in the steps of the run.
final class NoteDelivery {
    private static final Receiver NONE = new Receiver("", Instant.MAX);

    private record Receiver(String step, Instant at) {}

    private final List<Note> notes;
    private final Map<Note, Receiver> first = new HashMap<>();

    NoteDelivery(List<Note> notes) {
        this.notes = notes;
    }

    void add(StepView step) {
        if (!notes.isEmpty() && step.step() instanceof Agent<?> agent && agent.receivesNotes()
                && step.found() instanceof StepView.Replied(var asked, Answer answer)) {
            Receiver receiver = new Receiver(step.path().inside(), step.result().orElseThrow().startedAt());
            String prompt = answer.prompt();
            notes.stream().filter(note -> prompt.contains(note.item()))
                    .forEach(note -> first.merge(note, receiver, (known, other) -> known.at().isBefore(other.at()) ? known : other));
        }
    }

    List<ToldNote> notes() {
        return notes.stream().distinct()
                .map(note -> new ToldNote(note.text(), note.by(), note.at().toString(), first.getOrDefault(note, NONE).step())).toList();
    }
}

package io.mlestar.show.report;

import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Note;
import io.mlestar.show.report.ReportModel.ToldNote;
import io.mlestar.show.view.StepView;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which step was the first to know what people told a run. Takes in the steps of a run.
final class NoteDelivery {
    /// A step that was told a note.
    private record Hearer(String step, Instant at) {}

    private final Map<Note, Optional<Hearer>> first = new LinkedHashMap<>();

    NoteDelivery(List<Note> notes) {
        notes.forEach(note -> first.put(note, Optional.empty()));
    }

    void add(StepView step) {
        if (first.isEmpty() || !(step.step() instanceof Agent<?> agent) || !agent.receivesNotes()
                || !(step.result().orElse(null) instanceof StepResult.Done done)) {
            return;
        }
        String prompt = done.answer().prompt();
        first.replaceAll((note, hearer) -> hearer.filter(earlier -> earlier.at().isBefore(done.startedAt())).isPresent() || !prompt.contains(note.item())
                ? hearer : Optional.of(new Hearer(step.path().inside(), done.startedAt())));
    }

    List<ToldNote> notes() {
        return first.entrySet().stream().map(told -> new ToldNote(told.getKey().text(), told.getKey().by(), told.getKey().at().toString(),
                told.getValue().map(Hearer::step).orElse(""))).toList();
    }
}

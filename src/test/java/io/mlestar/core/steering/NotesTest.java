package io.mlestar.core.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Note;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotesTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final MemoryStore store = new MemoryStore();
    private final Notes notes = new Notes(store);

    private static Note note(String text) {
        return new Note(NOW, "ann", text);
    }

    @Test
    void ofManyWhoTellAtOnceAllAreHeardAndReadAlike() {
        try (ExecutorService side = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 40).forEach(i -> side.submit(() -> new Notes(store).add("r", note("note " + i))));
        }
        List<Note> heard = notes.of("r");
        assertThat(heard).extracting(Note::text)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 40).mapToObj(i -> "note " + i).toList());
        assertThat(new Notes(store).of("r")).isEqualTo(heard);
    }

    @Test
    void thereIsAnEnd() {
        IntStream.range(0, 50).forEach(i -> notes.add("r", note("note " + i)));
        assertThatThrownBy(() -> notes.add("r", note("one more"))).isInstanceOf(Invalid.class)
                .hasMessageContaining("run r has been told 50 notes");
        assertThat(notes.of("r")).hasSize(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n\t ", "\u0000"})
    void nothingIsNoNote(String text) {
        assertThatThrownBy(() -> note(text)).isInstanceOf(Invalid.class).hasMessageContaining("1 to 2000 characters");
        assertThatThrownBy(() -> note("x".repeat(2_001))).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> new Note(NOW, "x".repeat(101), "text")).isInstanceOf(Invalid.class);
    }

    @Test
    void aNoteKeepsItsLinesAndNoControls() {
        assertThat(note(" try\u0000\u001b[2J this:\r\n  for x in y:  \n\tz()\r\n\n\n\nand go on\u2028 ").text())
                .isEqualTo("try [2J this:\n  for x in y:\n\tz()\n\nand go on");
    }

    @Test
    void oneThatIsDamagedIsNamed() {
        store.create("runs/r/note-1.json", "{".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> notes.of("r")).isInstanceOf(DamagedRecord.class)
                .hasMessageContaining("runs/r/note-1.json");
    }
}

package io.mlestar.core.steering;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Note;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.MemoryStore;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Extensions that people give a run, and notes that they tell it, while it goes on.
class SteeringRecordsTest {
    private final MemoryStore store = new MemoryStore();
    private final Extensions extensions = new Extensions(store);
    private final RunHeader run = World.header("r", "{\"time_limit_seconds\": 600, \"max_budget_usd\": 2}");
    private final Notes notes = new Notes(store);

    private static Extension given(int minutes, double usd) {
        return new Extension(World.NOW, "ann", minutes, usd);
    }

    @Test
    void allThatARunWasGivenCounts() {
        assertThat(extensions.onto(run)).isEqualTo(CurrentLimits.of(run));
        extensions.add(run, given(60, 0));
        CurrentLimits limited = extensions.add(run, given(30, 1.5));

        assertThat(extensions.of("r")).containsExactly(given(60, 0), given(30, 1.5));
        assertThat(limited).isEqualTo(extensions.onto(run));
        assertThat(limited.deadline()).isEqualTo(run.deadline().plus(Duration.ofMinutes(90)));
        assertThat(limited.extension()).isEqualTo(Duration.ofMinutes(90));
        assertThat(limited.finalizeAt()).as("the reserve stays")
                .isEqualTo(CurrentLimits.of(run).finalizeAt().plus(Duration.ofMinutes(90)));
        assertThat(limited.budgetUsd()).isEqualTo(3.5);
        assertThat(limited.run()).as("as it began").isEqualTo(run);
        assertThat(extensions.onto(World.header("other", "{}")).extension()).isZero();
    }

    @Test
    void aRunWithoutABudgetIsGivenNoMoney() {
        RunHeader free = World.header("free", "{}");
        refusal(() -> extensions.add(free, given(0, 1))).contains("run free has no max_budget_usd");
        assertThat(extensions.of("free")).isEmpty();
        assertThat(extensions.add(free, given(1, 0)).budgetUsd()).isNull();
    }

    @Test
    void thereIsAMostOfExtensions() {
        IntStream.range(0, 50).forEach(i -> extensions.add(run, given(525_600, 1_000_000)));
        refusal(() -> extensions.add(run, given(1, 0))).contains("has been extended 50 times");
        assertThat(extensions.onto(run).budgetUsd()).as("no budget is greater").isEqualTo(1_000_000);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/refused-extensions.csv", delimiter = '|', quoteCharacter = '`',
            numLinesToSkip = 1)
    void whatIsNoExtensionIsNamed(String minutes, String usd, String said) {
        refusal(() -> Extension.asked(World.NOW, "ann", minutes, usd)).contains(said);
    }

    @Test
    void peopleReadIt() {
        assertThat(Extension.asked(World.NOW, " ann\u001b ", " 90 ", "")).isEqualTo(given(90, 0))
                .extracting(Extension::words).isEqualTo("90 min");
        assertThat(given(0, 2).words()).isEqualTo("$2.00");
        assertThat(given(1, 0.5).words()).isEqualTo("1 min and $0.50");
        assertThatThrownBy(() -> new Extension(World.NOW, "x".repeat(101), 1, 0)).isInstanceOf(Invalid.class);
    }

    private static Note note(String text) {
        return new Note(World.NOW, "ann", text);
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
    void thereIsAMostOfNotes() {
        IntStream.range(0, 50).forEach(i -> notes.add("r", note("note " + i)));
        refusal(() -> notes.add("r", note("one more"))).contains("run r has been told 50 notes");
        assertThat(notes.of("r")).hasSize(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n\t ", "\u0000"})
    void nothingIsNoNote(String text) {
        refusal(() -> note(text)).contains("1 to 2000 characters");
        assertThatThrownBy(() -> note("x".repeat(2_001))).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> new Note(World.NOW, "x".repeat(101), "text")).isInstanceOf(Invalid.class);
    }

    @Test
    void aNoteKeepsItsLinesAndNoControls() {
        assertThat(note(" try\u0000\u001b[2J this:\r\n  for x in y:  \n\tz()\r\n\n\n\nand go on\u2028 ").text())
                .isEqualTo("try [2J this:\n  for x in y:\n\tz()\n\nand go on");
    }

    @Test
    void oneThatIsDamagedIsNamed() {
        store.create("runs/r/note-1.json", "{".getBytes(StandardCharsets.UTF_8));
        refusal(DamagedRecord.class, () -> notes.of("r")).contains("runs/r/note-1.json");
    }
}

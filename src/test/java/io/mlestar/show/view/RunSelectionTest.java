package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunSelectionTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private static RunFigures run(String id, String task, RunStatus state, @Nullable Double score, double cost, int begun, int took) {
        Instant start = NOW.plusSeconds(begun);
        return new RunFigures(id, task, state, "phase1", "Initial solution", score, null, cost, cost, start, state.isOpen() ? null : start.plusSeconds(took),
                false, null, List.of());
    }

    private static final List<RunFigures> RUNS = List.of(run("b", "birds", RunStatus.COMPLETED, 0.8, 2, 10, 60),
            run("A", "birds", RunStatus.FAILED, null, 3, 20, 5), run("c", "Digits", RunStatus.COMPLETED, 0.9, 1, 30, 90),
            run("d", "birds", RunStatus.RUNNING, 0.8, 0, 40, 0));

    private static List<String> chosen(@Nullable String sort, @Nullable String order, @Nullable String state, @Nullable String text) {
        return RunSelection.of(sort, order, state, text).of(RUNS, NOW.plusSeconds(70)).stream().map(RunFigures::runId).toList();
    }

    @ParameterizedTest
    @CsvSource({",, d c A b", "run,, A b c d", "run,desc, d c b A", "score,, c d b A", "score,asc, A d b c", "cost,, A b c d", "elapsed,asc, A d b c",
        "started,asc, b A c d", "state,, c b A d"})
    void runsAreSortedByAnyColumnAndAlikeOnesTheNewestFirst(@Nullable String sort, @Nullable String order, String runs) {
        assertThat(chosen(sort, order, null, null)).containsExactly(runs.strip().split(" "));
    }

    @Test
    void runsAreChosenByStateAndByPartOfTheirOrTheirTasksName() {
        assertThat(chosen(null, null, "completed", "")).containsExactly("c", "b");
        assertThat(chosen(null, null, "", " BIRD ")).containsExactly("d", "A", "b");
        assertThat(chosen(null, null, "failed", "a")).containsExactly("A");
        assertThat(chosen(null, null, null, "nothing like it")).isEmpty();
    }

    @Test
    void aHeadingClickedAgainTurnsTheOrderRoundAndKeepsWhatWasChosen() {
        RunSelection selection = RunSelection.of("score", null, "completed", "a&b=c d");
        assertThat(selection.by(RunSelection.Column.SCORE).query()).isEqualTo("sort=score&order=asc&state=completed&text=a%26b%3Dc+d");
        assertThat(selection.by(RunSelection.Column.RUN).query()).startsWith("sort=run&order=asc&");
        assertThat(selection.ariaSort(RunSelection.Column.SCORE)).isEqualTo("descending");
        assertThat(selection.ariaSort(RunSelection.Column.RUN)).isEqualTo("none");
        assertThat(RunSelection.of("", "", "", "").isAll()).isTrue();
        assertThat(selection.isAll()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            size  |      |       | sort must be one of run, state
            score | down |       | order must be asc or desc
            score |      | ended | state must be one of running
            """)
    void whatCannotBeDoneIsSaid(String sort, @Nullable String order, @Nullable String state, String said) {
        assertThatThrownBy(() -> RunSelection.of(sort, order, state, null)).isInstanceOf(Invalid.class).hasMessageStartingWith(said);
        assertThatThrownBy(() -> RunSelection.of(null, null, null, "x".repeat(101))).isInstanceOf(Invalid.class).hasMessageContaining("100 characters");
    }
}

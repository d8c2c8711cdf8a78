package io.mlestar.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.grade.Grade.Medals;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTableTest {
    private static final Medals THRESHOLDS = new Medals(0.9, 0.8, 0.7, 0.5);
    private static final Split ALL = new Split("All (%)", List.of("a", "b"));

    private static Cell cell(String contestant, String competition, int seed, boolean recorded, Assessment assessment) {
        return new Cell(contestant, competition, seed, competition + "-seed" + seed, recorded ? "recorded" : "anthropic:opus", recorded,
                !assessment.note().equals("nothing"), assessment, 1.5, 2.25, 1_000, 200, Instant.parse("2026-11-22T12:00:00Z"));
    }

    private static Cell medal(String competition, int seed, String medal) {
        return cell("mlestar", competition, seed, false, new Assessment(true, 0.75, THRESHOLDS, medal, true, ""));
    }

    private static BenchTable table(int seeds, Cell... cells) {
        return new BenchTable(List.of(ALL), List.of("a", "b"), List.of("mlestar"), seeds, List.of(cells));
    }

    @Test
    void theShareOfASplitIsTheMeanOverSeedsWithItsStandardError() {
        BenchTable table = table(3, medal("a", 1, "gold"), medal("b", 1, "bronze"), medal("a", 2, "silver"), medal("b", 2, null), medal("a", 3, null),
                medal("b", 3, null));
        assertThat(table.medals("mlestar", ALL)).hasValueSatisfying(share -> {
            assertThat(share.mean()).isEqualTo(50);
            // Of 100, 50 and 0: deviation 50, through the root of three.
            assertThat(share.standardError()).isCloseTo(28.8675, within(1e-4));
            assertThat(share.words()).isEqualTo("50.00 ± 28.87");
        });
        assertThat(Share.of(List.of(40.0))).hasValue(new Share(40, null, 1));
        assertThat(Share.of(List.of())).isEmpty();
    }

    @Test
    void aSeedWithoutAResultInEveryCompetitionIsNoSeedYet() {
        assertThat(table(2, medal("a", 1, "gold"), medal("b", 1, null), medal("a", 2, "gold")).medals("mlestar", ALL)).hasValue(new Share(50, null, 1));
        assertThat(table(1, medal("a", 1, "gold")).medals("mlestar", ALL)).isEmpty();
    }

    @Test
    void aRunWithoutASubmissionCountsAndOneThatNobodyCouldGradeDoesNot() {
        Cell none = cell("mlestar", "b", 1, false, Assessment.none("nothing"));
        assertThat(none.anyMedal()).isFalse();
        assertThat(table(1, medal("a", 1, "gold"), none).medals("mlestar", ALL)).hasValue(new Share(50, null, 1));
        Cell unknown = cell("mlestar", "b", 1, false, new Assessment(null, null, null, null, null, "not graded here"));
        assertThat(unknown.anyMedal()).isNull();
        assertThat(table(1, medal("a", 1, "gold"), unknown).medals("mlestar", ALL)).isEmpty();
    }

    @Test
    void whatNobodyHasRunIsEmptyAndWhatWasReplayedIsNoNumber() {
        Cell replayed = cell("mlestar", "a", 1, true, new Assessment(true, 0.123456, THRESHOLDS, "gold", true, ""));
        BenchTable table = table(1, replayed);
        assertThat(table.medals("mlestar", ALL)).isEmpty();
        assertThat(table.cellsCsv().lines()).containsExactly(String.join(",", BenchTable.COLUMNS), "mlestar,a,1,a-seed1,recorded,recorded" + ",".repeat(14),
                "mlestar,b,1,,,not run" + ",".repeat(14));
        assertThat(table.leaderboardCsv().lines()).containsExactly("Agent,LLM(s) used,All (%),Running Time (hours),Date", "mlestar,,,,");
        BenchPage page = BenchPage.of(table);
        assertThat(page.said()).isEqualTo("0 of 2 cells have a result");
        assertThat(page.rows()).extracting(BenchPage.CellRow::state, BenchPage.CellRow::score, BenchPage.CellRow::medal)
                .containsExactly(tuple("recorded", "", ""), tuple("", "", ""));
        assertThat(page.replayed()).singleElement().satisfies(one -> assertThat(one.score()).isEqualTo("0.12346"));
        assertThat(BenchPage.html(table)).contains("Replayed, and not counted", "none of their figures is in the tables");
    }

    @Test
    void theTableShowsEachCellAndTheLeaderboardOneLineForEachContestant() {
        BenchTable table = table(1, medal("a", 1, "bronze"), cell("mlestar", "b", 1, false, new Assessment(true, 0.2, THRESHOLDS, null, false, "")));
        assertThat(table.cellsCsv().lines().skip(1)).containsExactly(
                "mlestar,a,1,a-seed1,anthropic:opus,done,true,true,0.75,0.9,0.8,0.7,0.5,bronze,true,1.5000,2.25,1000,200,",
                "mlestar,b,1,b-seed1,anthropic:opus,done,true,true,0.2,0.9,0.8,0.7,0.5,,false,1.5000,2.25,1000,200,");
        assertThat(table.leaderboardCsv().lines().skip(1)).containsExactly("mlestar,anthropic:opus,50.00,1.50,2026-11-22");
        BenchPage page = BenchPage.of(table);
        assertThat(page.standings()).containsExactly(new BenchPage.Standing("mlestar", "anthropic:opus", List.of("50.00"), "100.00", "50.00", "1.50", "$4.50"));
        assertThat(BenchPage.html(table)).contains("<td class=\"number\">50.00</td>", "0.90000 / 0.80000 / 0.70000 / 0.50000");
    }

    @Test
    void whatStrangersWriteIsEscapedOnThePage() {
        Cell wrong = cell("<b>me", "a", 1, false, Assessment.none("<script>alert(1)</script>"));
        assertThat(BenchPage.html(new BenchTable(List.of(ALL), List.of("a"), List.of("<b>me"), 1, List.of(wrong)))).doesNotContain("<script>", "<b>");
    }

    @Test
    void aCellThatIsKeptIsReadAsItWasWritten(@TempDir Path folder) {
        Competition competition = new Competition("a", folder, folder, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        CellFiles files = new CellFiles(folder.resolve("cells"));
        Contest contest = new Contest("mlestar", competition, CompetitionTest.task("MAE"), 1);
        assertThat(files.of(contest)).isEmpty();
        assertThat(files.all()).isEmpty();
        Cell cell = medal("a", 1, "silver");
        files.keep(contest, cell);
        assertThat(files.of(contest)).hasValue(cell);
        assertThat(files.all()).containsExactly(cell);
    }
}

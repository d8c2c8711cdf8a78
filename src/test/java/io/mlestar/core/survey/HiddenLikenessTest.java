package io.mlestar.core.survey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.CardFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The rows that the real program hides where the test differs from training.
@Timeout(300)
class HiddenLikenessTest {
    private static final Pattern NAMED = Pattern.compile("(?m)^(def \\w+|class \\w+|[A-Z_]+ =)");
    private static final int FOLDS = 5;
    private static final int TESTS = 300;

    @TempDir
    private Path folder;

    private JsonNode hide(String columns, int rows, IntFunction<String> train, IntFunction<String> test)
            throws IOException, InterruptedException {
        return new HiddenData(folder).hide(SurveyScripts.holdout(CardFolder.PATIENT, FOLDS, ""), "id," + columns, rows,
                i -> i + "," + train.apply(i),
                i -> 5_000 + i, test, TESTS);
    }

    private int[] searched() throws IOException {
        return new HiddenData(folder).hidden().stream().filter(row -> !row.part().equals("select"))
                .mapToInt(HiddenData.Hidden::row).sorted().toArray();
    }

    private static String day(int day) {
        return LocalDate.of(2021, 7, 1).plusDays(day).toString();
    }

    /// From July to April, and the test from May to August: the summer before is hidden, not the
    /// winter.
    @Test
    void rowsOfTheSeasonOfTheTestAreHidden() throws IOException, InterruptedException {
        JsonNode said =
                hide("date,x", 1_520, i -> day(i / 5) + "," + i % 31, i -> day(304 + i * 122 / TESTS) + "," + i % 31);

        assertThat(said.path("scheme").asText())
                .startsWith("blocks of time by \"date\": it is later in all rows of \"test.csv\"")
                .contains("5 folds and select are the 6 of 15 blocks of time whose season is nearest to the test",
                        "most by summer or winter by \"date\"",
                        "; the mean of \"y\" is 151.5 in the first fifth of the time and 1367 in the last: whether that goes on no hidden row tells");
        assertThat(said.path("in_time").asBoolean()).isFalse();
        assertThat(Arrays.stream(searched()).filter(row -> row < 500).count()).as("of July to September")
                .isGreaterThan(250);
        assertThat(Arrays.stream(searched())).as("of December and January")
                .noneMatch(row -> row / 5 > 160 && row / 5 < 210);
    }

    /// Two years, and the test of four months more: the last rows hold all seasons.
    @Test
    void theLastRowsAreHiddenWhereTheyHoldTheSeasonOfTheTest() throws IOException, InterruptedException {
        JsonNode said =
                hide("date,x", 1_460, i -> day(i / 2) + "," + i % 31, i -> day(730 + i * 122 / TESTS) + "," + i % 31);

        assertThat(said.path("scheme").asText()).startsWith("the last rows by \"date\"");
        assertThat(said.path("in_time").asBoolean()).isTrue();
    }

    /// One of eight clinics is far, and most of the test's are: clinics are too few to hide some of
    /// them only, but the line says it.
    @Test
    void howGroupsOfTheTestDifferIsSaid() throws IOException, InterruptedException {
        JsonNode said =
                hide("clinic,distance", 2_400, i -> "c" + i / 10 + "," + (i / 10 % 8 == 0 ? 90 : 10 + i / 10 % 7),
                        i -> "d" + i / 10 + "," + (i / 10 % 8 < 7 ? 90 : 12));

        assertThat(said.path("scheme").asText()).startsWith("whole groups of one \"clinic\": ").contains(
                "; rows of \"test.csv\" can be told from those of training",
                "most by \"distance\"", "5 folds");
    }

    @Test
    void rowsOfTheMixOfTheTestAreHidden() throws IOException, InterruptedException {
        JsonNode said = hide("heat,x", 2_400, i -> (i % 8 == 0 ? 90 : 10 + i % 7) + "," + i % 31,
                i -> (i % 8 < 7 ? 90 : 12) + "," + i % 31);

        assertThat(said.path("scheme").asText()).startsWith("rows at random in 5 folds: ")
                .contains("most by \"heat\"", "rows of their mix are hidden, where all of training are worth");
        assertThat(share(searched(), row -> row % 8 == 0)).as("hot, of an eighth of the rows").isBetween(0.6, 0.95);
    }

    /// Nothing differs but by chance, and each row is hidden once.
    @Test
    void allRowsAreHiddenWhereTheTestIsLikeTraining() throws IOException, InterruptedException {
        JsonNode said = hide("heat,x", 2_000, i -> i * 7 % 50 + "," + i % 31, i -> i * 7 % 50 + "," + i % 31);

        assertThat(said.path("scheme").asText()).startsWith("rows at random in 5 folds: ")
                .doesNotContain("can be told");
        assertThat(searched()).hasSize(1_800);
    }

    /// The parts of the program are joined into one file, so a later part would change what an
    /// earlier one means.
    @Test
    void noPartOfTheProgramHasANameOfAnother() {
        List<String> names =
                NAMED.matcher(SurveyScripts.holdout(60, FOLDS, "")).results().map(MatchResult::group).toList();

        assertThat(names).hasSizeGreaterThan(200).doesNotHaveDuplicates();
    }

    private static double share(int[] rows, IntPredicate which) {
        return Arrays.stream(rows).filter(which).count() / (double) rows.length;
    }
}

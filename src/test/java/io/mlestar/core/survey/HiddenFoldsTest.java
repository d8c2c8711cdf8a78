package io.mlestar.core.survey;

import static io.mlestar.core.survey.HiddenData.assertScheme;
import static io.mlestar.core.survey.HiddenData.moments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.survey.HiddenData.Hidden;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Into which folds the real program cuts the rows.
@Timeout(300)
class HiddenFoldsTest {
    private static final int FOLDS = 5;

    @TempDir
    private Path folder;

    private HiddenData data() {
        return new HiddenData(folder);
    }

    private JsonNode hide(String columns, int rows, IntFunction<String> train, IntFunction<String> test)
            throws Exception {
        return data().hide(FOLDS, columns, rows, train, test);
    }

    /// Checks what holds for every scheme: what a fold is scored on, no training table of it has,
    /// and the tables agree with the labels.
    private void checkTables(JsonNode said) throws IOException {
        Map<String, List<Hidden>> parts = data().hidden().stream()
                .collect(Collectors.groupingBy(Hidden::part, TreeMap::new, Collectors.toList()));
        int count = said.path("rows").size();
        assertThat(parts.keySet()).as(said.toString())
                .containsExactlyElementsOf(Stream
                        .concat(IntStream.range(0, count).mapToObj(Integer::toString), Stream.of("select")).toList());
        assertThat(said.path("rows").valueStream().map(JsonNode::asInt)).isEqualTo(
                IntStream.range(0, count).mapToObj(fold -> parts.get("" + fold).size()).toList());
        assertThat(said.path("select").asInt()).isEqualTo(parts.get("select").size());
        assertThat(data().hidden().stream().map(Hidden::row)).as("each row once").doesNotHaveDuplicates();
        assertThat(data().hidden().stream().map(Hidden::id)).as("each id once").doesNotHaveDuplicates();
        for (int fold = 0; fold < count; fold++) {
            List<Hidden> asked = Stream.concat(parts.get("" + fold).stream(), parts.get("select").stream()).toList();
            assertThat(data().trained(fold)).as("fold " + fold)
                    .doesNotContain(asked.stream().mapToInt(Hidden::row).toArray());
            List<String> ids = new ArrayList<>(data().ids(fold, "test.csv"));
            assertThat(data().ids(fold, "sample_submission.csv")).isEqualTo(ids);
            assertThat(ids).hasSize(HiddenData.TEST + asked.size()).doesNotHaveDuplicates()
                    .containsAll(asked.stream().map(Hidden::id).toList());
        }
        checkStudy(count);
    }

    /// A study learns from all folds, knows which rows they are, and sees no label of the rows for
    /// the final choice.
    private void checkStudy(int count) throws IOException {
        Path study = folder.resolve("final/holdout/study");
        if (count == 1) {
            assertThat(study).doesNotExist();
            return;
        }
        Map<Integer, String> parts = data().hidden().stream().collect(Collectors.toMap(Hidden::row, Hidden::part));
        List<Integer> trained = data().trained("study");
        assertThat(trained).doesNotContainAnyElementsOf(data().hidden("select").stream().map(Hidden::row).toList())
                .containsAll(parts.keySet().stream().filter(row -> !parts.get(row).equals("select")).toList());
        assertThat(data().studyFolds()).isEqualTo(trained.stream().map(row -> parts.getOrDefault(row, "-1")).toList());
        assertThat(Files.readAllLines(study.resolve("test.csv")))
                .hasSize(1 + HiddenData.TEST + data().hidden("select").size());
    }

    private static Set<String> groups(List<Hidden> rows) {
        return rows.stream().map(Hidden::group).collect(Collectors.toSet());
    }

    @Test
    void rowsAtRandomAreInOneFoldEachAndAllFoldsHaveTheSameOfEachTenth() throws Exception {
        JsonNode said = hide("Pclass,Name,Age", 891, i -> 1 + i % 3 + ",Mr. Passenger " + i + "," + i % 31,
                i -> 1 + i % 3 + ",Mrs. Passenger " + i + ",30");

        checkTables(said);
        assertScheme(said)
                .startsWith("rows at random in 5 folds: \"Name\" has mostly values that \"train.csv\" lacks");
        assertThat(data().hidden()).as("all rows").hasSize(891);
        assertThat(said.path("select").asInt()).isEqualTo(100);
        for (int fold = 0; fold < FOLDS; fold++) {
            int number = fold;
            int[] rows = data().rows("" + fold);
            assertThat(rows).hasSizeBetween(158, 159);
            assertThat(data().trained(fold)).hasSize(891 - 100 - rows.length);
            assertThat(IntStream.range(0, 9)
                    .map(tenth -> (int) Arrays.stream(rows).filter(row -> row / 99 == tenth).count()))
                    .as("of each ninth of the target, in fold " + number).allMatch(count -> count >= 14 && count <= 21);
        }
    }

    /// The rows set aside do not depend on the folds, so that scores on them can be compared.
    @Test
    void selectIsThatOfOnePart() throws Exception {
        IntFunction<String> values = i -> "" + i % 31;
        hide("x", 1_000, values, values);
        int[] select = data().rows("select");
        data().hide(1, "x", 1_000, values, values);

        assertThat(data().rows("select")).isEqualTo(select).hasSize(100);
        assertThat(data().rows("0")).hasSize(100);
    }

    /// The first county has more rows than a fifth of a fold, like one of 733 houses in a table of
    /// 6,858.
    @ParameterizedTest
    @CsvSource({"1, half", "5, fold"})
    void aCountyThatWouldBeMostOfAFoldStaysInTraining(int folds, String part) throws Exception {
        JsonNode said = data().hide(folds, "county,x", 4_733, i -> "c" + (i < 733 ? 0 : i / 20) + "," + i % 31,
                i -> "t" + i / 10 + ",7");

        checkTables(said);
        assertScheme(said)
                .contains("1 group with more than 20 % of a " + part + " stays for training");
        assertThat(said.path("rows").size()).isEqualTo(folds);
        for (int fold = 0; fold < folds; fold++) {
            int[] trained = data().trained(fold);
            assertThat(groups(data().hidden("" + fold))).as("balanced").hasSizeBetween(24, folds == 1 ? 24 : 37);
            assertThat(Arrays.stream(trained).filter(row -> row < 733)).hasSize(733);
            Set<Integer> counties =
                    Arrays.stream(trained).map(row -> row / 20).boxed().collect(Collectors.toSet());
            assertThat(Arrays.stream(data().rows("" + fold))).as("whole groups")
                    .noneMatch(row -> row >= 740 && counties.contains(row / 20));
        }
    }

    @ParameterizedTest
    @CsvSource({"35, 2", "100, 5"})
    void thereAreFewerFoldsWhereEachWouldHaveTooFewGroups(int groups, int folds) throws Exception {
        JsonNode said = hide("site,x", 40 * groups, i -> "s" + i / 40 + "," + i % 31, i -> "t" + i + ",7");

        checkTables(said);
        assertThat(said.path("rows").size()).as(said.toString()).isEqualTo(folds);
        assertThat(said.path("scheme").asText().contains("; not 5 folds, since each needs 10 effective groups"))
                .isEqualTo(folds < FOLDS);
        for (int fold = 0; fold < folds; fold++) {
            assertThat(groups(data().hidden("" + fold))).hasSizeGreaterThanOrEqualTo(10);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void ofTwelveSitesNoneIsHiddenAndTheReasonSaysSo(int folds) throws Exception {
        JsonNode said =
                data().hide(folds, "site,x", 1_200, i -> "s" + i / 100 + "," + i % 31, i -> "t" + i / 30 + ",7");

        assertThat(said.path("missing").asText())
                .startsWith("whole groups of one \"site\" would have to be hidden, since \"test.csv\" has values that "
                        + "\"train.csv\" lacks in 100 % of its rows: at least 10 in each "
                        + (folds == 1 ? "half" : "of two folds and in select"))
                .endsWith("there are 12 groups of 100 to 100 rows");
    }

    /// Dates as people of some countries write them: as texts they are in another order.
    @Test
    void foldsInTimeAreLearntFromWhatIsBeforeThemTheLatestFirst() throws Exception {
        IntFunction<String> date = moments("MM/dd/yyyy", 24);
        JsonNode said =
                hide("seen,x", 1_000, i -> date.apply(i / 5) + "," + i % 31, i -> date.apply(200 + i / 3) + ",7");

        checkTables(said);
        assertScheme(said)
                .contains(
                        "5 folds, each learnt from what is before it: the first is the latest, the last is learnt from 450 rows; "
                                + "select is later than all; in 18 and 20 blocks of time");
        for (int fold = 0; fold < FOLDS; fold++) {
            int begin = 450 + 90 * (FOLDS - 1 - fold);
            assertThat(data().rows("" + fold)).isEqualTo(IntStream.range(begin, begin + 90).toArray());
            assertThat(data().trained(fold)).isEqualTo(IntStream.range(0, begin).toArray());
            assertThat(groups(data().hidden("" + fold))).hasSize(18);
            assertThat(data().ids(fold, "test.csv").subList(190, 250)).as("the test's rows are last").contains("5000",
                    "5059");
        }
        assertThat(data().rows("select")).isEqualTo(IntStream.range(900, 1_000).toArray());
        assertThat(groups(data().hidden())).as("no block is of two folds").hasSize(5 * 18 + 20);
    }

    @Test
    void ofAFewLongPeriodsThereAreFewerFolds() throws Exception {
        JsonNode said =
                hide("month,x", 700, i -> moments("yyyy-MM", 24 * 31).apply(i / 100) + "," + i % 31, i -> "2020-09,7");

        checkTables(said);
        assertScheme(said).contains("3 folds, each learnt from what is before it",
                "the last is learnt from 300 rows",
                "blocks cut through its values",
                "; not 5 folds, since there are too few values before select");
        assertThat(data().trained(0)).isEqualTo(IntStream.range(0, 500).toArray());
    }

    @Test
    void daysAreInOneFoldWholeWhereAMomentIsTheOnlyColumn() throws Exception {
        IntFunction<String> hour =
                i -> "%d-%02d-%02d %02d:00:00".formatted(2011 + i / 1_008, 1 + i / 84 % 12, 1 + i / 6 % 14, i % 6 * 4);

        JsonNode said = data().hide(FOLDS, "datetime", 2_016, hour,
                i -> "2011-%02d-%02d 05:00:00".formatted(1 + i % 12, 20 + i / 12), i -> "");

        checkTables(said);
        assertScheme(said).startsWith("whole groups of one day of \"datetime\": ");
        assertThat(data().hidden()).hasSize(2_016).allMatch(row -> row.id().equals(hour.apply(row.row())));
        assertThat(data().hidden().stream()
                .collect(Collectors.groupingBy(row -> row.row() / 6,
                        Collectors.mapping(Hidden::part, Collectors.toSet())))
                .values()).as("a day is in one fold").allMatch(those -> those.size() == 1);
    }

    /// A fold takes no row from the search, so a table that is too small for a part of 100 rows has
    /// folds.
    @ParameterizedTest
    @CsvSource({"60, 9, 5", "666, 99, 5", "667, 100, 5"})
    void smallTablesHaveFolds(int rows, int select, int folds) throws Exception {
        JsonNode said = hide("x", rows, i -> "" + i % 31, i -> "7");

        checkTables(said);
        assertThat(said.path("select").asInt()).isEqualTo(select);
        assertThat(said.path("rows").size()).isEqualTo(folds);
        assertThat(data().hidden()).hasSize(rows);
    }

    @Test
    void ofFewerRowsThanSixtyNoneIsHidden() throws Exception {
        JsonNode said = hide("x", 59, i -> "" + i % 31, i -> "7");

        assertThat(said.path("missing").asText())
                .isEqualTo(
                        "\"train.csv\" has 59 rows with a target; at least 60 are needed, since folds of fewer say too little");
    }

    @Test
    void largeTablesHaveAsManyFoldsAsTheirCopiesMayTake() throws Exception {
        String program =
                SurveyScripts.holdout(CardFolder.PATIENT, FOLDS, "").replace("COPIES = 512 << 20", "COPIES = 40000");
        assertThat(program).contains("COPIES = 40000");

        JsonNode two =
                data().hide(program, "id,x", 1_000, i -> i + "," + i % 31, i -> 5000 + i, i -> "7", HiddenData.TEST);

        checkTables(two);
        assertThat(two.path("rows").size()).as(two.toString()).isEqualTo(3);
        assertScheme(two).contains("; 3 folds and not 5, since each is a copy of tables of 1",
                "kB, and all may have 40 kB");
    }

    /// A half of a large table has no tenth of its rows, and whole groups may be larger than a
    /// fifth of what it has.
    @Test
    void ofALargeTableWholeGroupsAreHiddenThoughEachIsMuchOfAHalf() throws Exception {
        String program = SurveyScripts.holdout(CardFolder.PATIENT, 1, "").replace("\nMOST = 20000 ", "\nMOST = 100 ");
        assertThat(program).contains("\nMOST = 100 ");

        JsonNode said = data().hide(program, "id,shop,x", 2_000, i -> i + ",s" + i / 25 + "," + i % 31, i -> 5000 + i,
                i -> "t" + i + ",7", HiddenData.TEST);

        checkTables(said);
        assertThat(said.path("rows").path(0).asInt()).as(said.toString()).isEqualTo(250);
        assertThat(groups(data().hidden("0"))).hasSize(10);
    }

    @Test
    void ofATableThatIsTooLargeToBeLookedAtByRowsNoneIsHidden() throws Exception {
        String program = SurveyScripts.holdout(CardFolder.PATIENT, FOLDS, "").replace("\nLARGEST = 256 << 20 ",
                "\nLARGEST = 5000 ");

        JsonNode said =
                data().hide(program, "id,x", 1_000, i -> i + "," + i % 31, i -> 5000 + i, i -> "7", HiddenData.TEST);

        assertThat(said.path("missing").asText()).isEqualTo("\"train.csv\" is larger than 5 kB");
    }
}

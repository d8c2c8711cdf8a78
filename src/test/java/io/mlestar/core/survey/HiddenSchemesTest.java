package io.mlestar.core.survey;

import static io.mlestar.core.survey.HiddenData.assertScheme;
import static io.mlestar.core.survey.HiddenData.moments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.base.Json;
import io.mlestar.core.survey.HiddenData.Hidden;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// By which scheme the real program hides rows. In all data y is the number of a row, so the labels
/// tell which ones are hidden.
@Timeout(300)
class HiddenSchemesTest {
    @TempDir
    private Path folder;

    /// @param columns the header, without the id in front and the target behind
    /// @param train the values of each row, up to `rows`
    private JsonNode hide(String columns, int rows, IntFunction<String> train, IntFunction<String> test)
            throws Exception {
        return data().hide(1, columns, rows, train, test);
    }

    private HiddenData data() {
        return new HiddenData(folder);
    }

    private List<Hidden> hidden(String part) throws IOException {
        return data().hidden(part);
    }

    private int[] rows(String part) throws IOException {
        return data().rows(part);
    }

    private static Map<Integer, Long> counts(int[] rows, int ofGroup) {
        return Arrays.stream(rows).boxed().collect(Collectors.groupingBy(row -> row / ofGroup, Collectors.counting()));
    }

    static Stream<Arguments> momentsInOrder() {
        return Stream.of(
                Arguments.of("seen", moments("dd.MM.yyyy", 24)),
                Arguments.of("seen", moments("d-M-yy H:mm", 24)),
                Arguments.of("seen", moments("MM/dd/yyyy hh:mm a", 12)),
                Arguments.of("seen", moments("yyyy-MM-dd'T'HH:mm:ss", 5)),
                Arguments.of("seen", moments("yyyyMMdd", 24)),
                Arguments.of("seen", moments("yyyy-MM-dd'_7'", 24)),
                Arguments.of("seen", moments("yyyy'Q'q", 24 * 92)),
                Arguments.of("seen", moments("yyyyMMddHHmmss", 5)),
                Arguments.of("seen", moments("'\"'MMM dd, yyyy'\"'", 24)),
                Arguments.of("seen", moments("MMM-yy", 24 * 31)),
                Arguments.of("at", moments("yyyy-MM-dd HH:mm:ss 'CET'", 5)),
                Arguments.of("ts", (IntFunction<String>) i -> "" + (1_700_000_000_000L + i * 3_600_000L)),
                Arguments.of("seen", (IntFunction<String>) i -> "%d-W%02d".formatted(2000 + i / 52, 1 + i % 52)),
                Arguments.of("week", (IntFunction<String>) i -> i + ".0"));
    }

    /// Five rows of each moment; the last one is in the test as well.
    @ParameterizedTest
    @MethodSource("momentsInOrder")
    void theLastRowsInTimeAreHiddenInBlocksWhereverTheTestIsLater(String name, IntFunction<String> moment)
            throws Exception {
        JsonNode said = hide(name + ",x", 1_000, i -> moment.apply(i / 5) + "," + i % 31,
                i -> moment.apply(i == 7 ? 199 : 200 + i / 3) + ",7");

        assertScheme(said)
                .contains("the last rows by \"" + name
                        + "\": it is later in 100 % of the rows of \"test.csv\" than in 95 % of those "
                        + "of \"train.csv\"; search is the earlier half, select the later, in 20 and 20 blocks of time");
        assertThat(rows("0")).isEqualTo(IntStream.range(800, 900).toArray());
        assertThat(rows("select")).isEqualTo(IntStream.range(900, 1_000).toArray());
        assertThat(hidden("select").stream().collect(
                Collectors.groupingBy(Hidden::group, Collectors.mapping(row -> row.row() / 5, Collectors.toSet()))))
                .hasSize(20).values().allMatch(moments -> moments.size() == 1);
    }

    /// Each row has its own moment, and neighbours are resampled together.
    @Test
    void neighboursInTimeAreInOneBlock() throws Exception {
        hide("datetime,x", 2_000, i -> moments("yyyy-MM-dd HH:mm:ss", 1).apply(i) + "," + i % 31,
                i -> moments("yyyy-MM-dd HH:mm:ss", 1).apply(2_000 + i) + ",7");

        assertThat(hidden("0").stream()
                .collect(Collectors.groupingBy(Hidden::group, Collectors.summarizingInt(Hidden::row))).values())
                .hasSize(20).allMatch(block -> block.getCount() == 10 && block.getMax() - block.getMin() == 9);
    }

    @Test
    void ofColumnsInTheOrderOfTimeTheFinestTells() throws Exception {
        IntFunction<String> all = i -> moments("yyyy,MM,yyyy-MM-dd", 24).apply(i) + ",7";
        JsonNode said = hide("year,month,date,x", 1_096, all, i -> all.apply(1_096 + i));

        assertScheme(said).contains("the last rows by \"date\"");
        assertThat(rows("select")).endsWith(1_095).hasSize(109).startsWith(987);
    }

    /// Seconds since some day: numbers of any name, each row with its own.
    @Test
    void numbersThatLieBeyondAllOthersAreTimeUnlessTheyCountRows() throws Exception {
        assertThat(hide("TransactionDT,x", 1_000, i -> 86_400 + i * 97 + "," + i % 31, i -> 300_000 + i * 97 + ",7")
                .path("scheme").asText())
                .startsWith("the last rows by \"TransactionDT\": it is later in all rows of \"test.csv\"");
        assertThat(hide("counter,x", 1_000, i -> i + "," + i % 31, i -> 1_000 + i + ",7").path("scheme").asText())
                .startsWith("rows at random");
    }

    /// One new number, or three towns that training lacks, are no scheme.
    @ParameterizedTest
    @CsvSource({"1", "20"})
    void aTestOfAFewExampleRowsDecidesNothing(int rows) throws Exception {
        JsonNode said = data().hide(SurveyScripts.holdout(CardFolder.PATIENT, 1, ""), "id,town,x", 2_000,
                i -> i + ",t" + i % 40 + "," + i % 31 + ".5", i -> 5_000 + i, i -> "u" + i + ",0.7", rows);

        assertScheme(said)
                .startsWith("rows at random: \"test.csv\" has %d row%s only, which do not tell how it was taken"
                        .formatted(rows, rows == 1 ? "" : "s"));
    }

    @Test
    void ofTooFewMomentsNoneIsHiddenAndTheReasonNamesThem() throws Exception {
        JsonNode said = hide("year,x", 900, i -> 2018 + i / 300 + "," + i % 31, i -> "2021,7");

        assertThat(said.path("missing").asText())
                .isEqualTo(
                        "the last rows by \"year\" would have to be hidden, since it is later in all rows of \"test.csv\" than "
                                + "in any of \"train.csv\"; its last 2 values have 66.7 % of the rows, and at most 30 % can be hidden");
    }

    /// Names of people are other ones in the test, and tell no scheme. Half of the test's
    /// passengers must not tell by their place what is hidden.
    @Test
    void rowsAtRandomAreFromAllPlacesOfTheTableAndStandAtAllPlacesOfTheTest() throws Exception {
        JsonNode said = hide("Pclass,Name,Age", 891, i -> 1 + i % 3 + ",Mr. Passenger " + i + "," + i % 31,
                i -> 1 + i % 3 + ",Mrs. Passenger " + i + ",30");

        assertScheme(said)
                .startsWith(
                        "rows at random: \"Name\" has mostly values that \"train.csv\" lacks, but nearly each row has its own there");
        assertThat(said.path("rows").path(0).asInt()).isEqualTo(100);
        for (String part : List.of("0", "select")) {
            assertThat(counts(rows(part), 89).values()).as("of each tenth of the target, some 10")
                    .hasSizeBetween(10, 11).allMatch(count -> count <= 14);
        }
        List<String> train = Files.readAllLines(folder.resolve("final/holdout/fold0/train.csv"));
        assertThat(IntStream.range(0, 9)
                .mapToLong(tenth -> 89 - train.stream().skip(1).filter(row -> isIn(tenth, row)).count()))
                .as("hidden of each tenth of the file, in another order than the target")
                .allMatch(count -> count >= 8 && count <= 35);
        List<String> test = Files.readAllLines(folder.resolve("final/holdout/fold0/test.csv"));
        assertThat(test.subList(1, 131).stream().filter(row -> row.contains("Mr."))).as("hidden, of half of the rows")
                .hasSizeBetween(85, 115);
    }

    private static boolean isIn(int tenth, String row) {
        int number = Integer.parseInt(row.substring(row.lastIndexOf(',') + 1));
        return number * 629 % 891 / 89 == tenth;
    }

    @Test
    void fewerRowsThanTwoHalvesNeedAreNotHiddenAndTheReasonSaysHowManyThatAre() throws Exception {
        JsonNode said = hide("x", 666, i -> "" + i % 31, i -> "7");

        assertThat(said.path("missing").asText())
                .isEqualTo(
                        "\"train.csv\" has 666 rows with a target; at least 667 are needed, since each half needs 100 hidden "
                                + "rows, and at most 30 % of the rows can be hidden");
    }

    /// The first 600 rows are pairs that differ in their ids alone.
    @ParameterizedTest
    @CsvSource({"5000, true", "0, false"})
    void copiesAreNotHiddenAndShownAtOnceUnlessTheTestHasSomeAsWell(int first, boolean isKept) throws Exception {
        JsonNode said = hide("x,z", 1_000, i -> "%d.5,%d".formatted(i < 600 ? i / 2 : i, i % 4 / 2),
                i -> "%d.5,%d".formatted(first + i, i % 2));

        assertThat(said.path("scheme").asText().contains("600 rows that occur more than once stay for training"))
                .isEqualTo(isKept);
        assertThat(
                IntStream.concat(Arrays.stream(rows("0")), Arrays.stream(rows("select"))).allMatch(row -> row >= 600))
                .isEqualTo(isKept);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%d-03-%02d", "%d-03-%02d_7", "shop_%d_item_%d"})
    void noRowIsHiddenUnderAnIdThatMeansSomethingElse(String form) throws Exception {
        JsonNode said = data().hide(1, "key,x", 1_000,
                i -> form.formatted(1990 + (699 - i % 700) / 28, 1 + (699 - i % 700) % 28) + "," + i % 31,
                i -> form.formatted(2060 + i / 28, 1 + i % 28), i -> "7");

        assertThat(said.path("missing").asText())
                .isEqualTo(
                        "hidden rows would need new values of \"key\", but those of \"test.csv\" tell more than which row it is");
    }

    @Test
    void newIdsHaveTheFormOfThoseOfTheTest() throws Exception {
        IntFunction<String> ids = i -> "row_%06x".formatted((i + 1) * 0x9E3779 & 0xFFFFFF);

        data().hide(1, "key,x", 1_000, i -> "old" + i % 700 + "," + i % 31, ids, i -> "7");

        assertThat(hidden("0")).hasSize(100).allMatch(row -> row.id().matches("row_[0-9a-f]{6}"));
    }

    @ParameterizedTest
    @CsvSource({"bytearray(2 * MEMORY), the tables need more memory than 2.15 GB",
        "int('x1'), 'the program that hides them failed: "
                + "invalid literal for int() with base 10: ''x1'''"})
    void whatTheProgramFailedByIsTheReason(String code, String reason) throws Exception {
        CardFolder data = CardFolder.in(folder).with("train.csv", "id,y\n1,2\n").with("test.csv", "id\n3\n")
                .with("sample_submission.csv", "id,y\n3,0\n");
        String program = SurveyScripts.holdout(CardFolder.PATIENT, 1, "");

        String printed = data.printed(program.replace("\nmain(hold_out)\n",
                "\ndef held_out(card):\n    CODE\n\n\nmain(hold_out)\n".replace("CODE", code)));

        assertThat(Json.parse(printed).path("missing").asText()).isEqualTo(reason);
    }

    @Test
    void theReasonIsSaidWhileThereIsTime() throws Exception {
        CardFolder data = CardFolder.in(folder).with("train.csv", "id,y\n1,2\n");

        String printed = data.printed(SurveyScripts.holdout(1, 1, "").replace(
                "\nmain(hold_out)\n", "\ndef held_out(card):\n    threading.Event().wait()\n\n\nmain(hold_out)\n"));

        assertThat(Json.parse(printed).path("missing").asText())
                .isEqualTo("the time was over before all rows were looked at");
    }
}

package io.mlestar.core.survey;

import static io.mlestar.core.survey.HiddenData.assertScheme;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which rows the program hides, and what of them shows, with the real program on this machine's
/// Python.
@Timeout(300)
class HiddenRowsTest {
    private static final String PROGRAM = SurveyScripts.holdout(CardFolder.PATIENT, 1, "");
    private static final String MAIN = "\nmain(hold_out)\n\n\n";

    @TempDir
    private Path folder;

    /// The output of code that has all that the program knows.
    private String probed(CardFolder data, String code) throws Exception {
        assertThat(PROGRAM).endsWith(MAIN);
        return data.printed(PROGRAM.substring(0, PROGRAM.length() - MAIN.length()) + "\n" + code);
    }

    @Test
    void noRowIsHiddenTwiceWhateverTheirNumber() throws Exception {
        String draws = Files.readString(Path.of("src/test/resources/holdout/draws.py"));

        assertThat(probed(CardFolder.in(folder), draws)).isEmpty();
    }

    @Test
    void aScriptThatKnowsTheProgramGuessesNoMoreLabelsByRepeatingItsDraws() throws Exception {
        Random noise = new Random(1);
        CardFolder data = CardFolder.in(folder)
                .with("train.csv",
                        "id,row,x,y\n" + CardFolder.rows(0, 999,
                                i -> "%d,%d,%.3f,%s".formatted(i, i, i % 7 % 2 + noise.nextGaussian(), i % 7 % 2)))
                .with("test.csv", "id,row,x\n" + CardFolder.rows(0, 59, i -> "%d,%d,0.5".formatted(5000 + i, -1 - i)))
                .with("sample_submission.csv", "id,y\n" + CardFolder.rows(0, 59, i -> 5000 + i + ",0"));
        String attack = Files.readString(Path.of("src/test/resources/holdout/attack.py"));

        String[] guessed = probed(data, attack).strip().split(" ");

        assertThat(Integer.parseInt(guessed[1])).as("of 200, by the draws")
                .isLessThanOrEqualTo(Integer.parseInt(guessed[0]));
        assertThat(Integer.parseInt(guessed[0])).as("of 200, by the feature").isBetween(110, 180);
    }

    /// The tables of a task as a spreadsheet of a country with decimal commas writes them.
    @Test
    void semicolonsDecimalCommasAndInchMarksTakeNoHiddenRowsAway() throws Exception {
        CardFolder data = CardFolder.in(folder)
                .with("train.csv",
                        "id;pipe;y\n" + CardFolder.rows(1, 1_200,
                                i -> i + ";" + (i == 40 ? "5\" pipe" : "p" + i % 9) + ";" + i % 7 + "," + i % 10))
                .with("test.csv", "id;pipe\n" + CardFolder.rows(2_001, 2_060, i -> i + ";p" + i % 9))
                .with("sample_submission.csv", "id;y\n" + CardFolder.rows(2_001, 2_060, i -> i + ";0,5"));

        JsonNode said = Json.parse(data.printed(PROGRAM).strip().lines().toList().getLast());

        assertThat(said.path("rows").path(0).asInt()).as(said.toString()).isEqualTo(120);
        Path written = folder.resolve("final/holdout");
        assertThat(Files.readAllLines(written.resolve("labels.csv"))).hasSize(241).element(1).asString()
                .matches("[0-9]+,[0-6]\\.[0-9],[0-9]+,(0|select)");
        assertThat(Files.readAllLines(written.resolve("fold0/sample_submission.csv"))).hasSize(301)
                .allSatisfy(row -> assertThat(row).contains(";"));
        assertThat(Files.readAllLines(written.resolve("fold0/train.csv"))).hasSize(961);
    }

    /// Each row has one of five targets: as many of each are hidden as there are.
    @Test
    void aRowNeedsOneOfSeveralTargets() throws Exception {
        JsonNode said = hide(CardFolder.in(folder)
                .with("train.csv",
                        "id,x,a,b,c,d,e\n" + CardFolder.rows(0, 999,
                                i -> i + "," + i % 31 + ",".repeat(1 + i % 5) + i + ",".repeat(4 - i % 5)))
                .with("test.csv", "id,x\n" + CardFolder.rows(1_000, 1_059, i -> i + ",7")).with("sample_submission.csv",
                        "id,a,b,c,d,e\n" + CardFolder.rows(1_000, 1_059, i -> i + ",0,0,0,0,0")));

        assertThat(said.path("rows").path(0).asInt()).as(said.toString()).isEqualTo(100);
        List<String> labels = Files.readAllLines(folder.resolve("final/holdout/labels.csv")).stream().skip(1).toList();
        Map<Integer, Long> counts = labels.stream().collect(Collectors.groupingBy(
                line -> Integer.parseInt(line.replaceAll("^\\d+,,*(\\d+),.*", "$1")) % 5, Collectors.counting()));
        assertThat(counts.values()).hasSize(5).allMatch(count -> count >= 35 && count <= 45);
    }

    /// A city and a week mean something, so they cannot be others.
    @Test
    void nothingIsHiddenUnderAKeyOfSeveralColumnsThatTheTestHas() throws Exception {
        JsonNode said = hide(CardFolder.in(folder)
                .with("train.csv",
                        "city,week,y\n" + CardFolder.rows(1, 900, i -> "c" + i % 3 + "," + i / 3 + "," + i % 7))
                .with("test.csv", "city,week\n" + CardFolder.rows(1, 90, i -> "c" + i % 3 + "," + i / 3))
                .with("sample_submission.csv",
                        "city,week,y\n" + CardFolder.rows(1, 90, i -> "c" + i % 3 + "," + i / 3 + ",0")));

        assertThat(said.path("missing").asText())
                .isEqualTo("hidden rows cannot keep their \"city\", \"week\", which rows of \"test.csv\" have, too");
    }

    /// The file's line ends, its quotes, and values of the sample as they come.
    @Test
    void noByteOfARowTellsHiddenRowsFromThoseOfTheTest() throws Exception {
        hide(CardFolder.in(folder)
                .with("train.csv",
                        "id,name,n,y\r\n"
                                + rows(0, 999, i -> "%d,\"%s\",%d,%d".formatted(i, name(i), i % 90, i % 90 * 3)))
                .with("test.csv", "id,name,n\r\n" + rows(1000, 1299, i -> "%d,\"%s\",%d".formatted(i, name(i), i % 90)))
                .with("sample_submission.csv", "id,y\r\n" + rows(1000, 1299, i -> "%d,\"0.%d\"".formatted(i, i % 7))));

        Set<String> hidden = hiddenIds();
        for (String file : List.of("test.csv", "sample_submission.csv")) {
            Map<Boolean, List<String>> lines = Arrays.stream(shown(file).split("(?<=\n)")).skip(1)
                    .collect(Collectors.partitioningBy(line -> hidden.contains(line.substring(0, 4))));
            assertThat(lines.get(true)).as(file).hasSize(200);
            assertThat(forms(lines.get(true))).isEqualTo(forms(lines.get(false)))
                    .allMatch(form -> form.endsWith("\r\n"));
        }
    }

    private static String name(int i) {
        return i % 3 == 0 ? "a, \"\"b\"\"" : "c";
    }

    private static String rows(int from, int to, IntFunction<String> row) {
        return CardFolder.rows(from, to, row).replace("\n", "\r\n");
    }

    private static Set<String> forms(List<String> lines) {
        return lines.stream().map(line -> line.replaceAll("^\\d{4}", "9").replaceAll("\\b\\d{1,2}(?=\r)", "9"))
                .collect(Collectors.toSet());
    }

    private JsonNode hide(CardFolder data) throws Exception {
        return Json.parse(data.printed(PROGRAM));
    }

    private Set<String> hiddenIds() throws IOException {
        List<String> labels = Files.readAllLines(folder.resolve("final/holdout/labels.csv"));
        return labels.stream().skip(1).map(line -> line.split(",")[0]).collect(Collectors.toSet());
    }

    private String shown(String file) throws IOException {
        return Files.readString(folder.resolve("final/holdout/fold0").resolve(file));
    }

    /// Sorted by the target, with the row number as id: a model that learned from it would score
    /// well on hidden rows alone.
    @Test
    void hiddenRowsHaveIdsLikeThoseOfTheTestThatTellNothing() throws Exception {
        JsonNode said = hide(sorted());

        List<int[]> labels = Files.readAllLines(folder.resolve("final/holdout/labels.csv")).stream().skip(1)
                .map(line -> Arrays.stream(line.split(",")).limit(2).mapToInt(Integer::parseInt).toArray()).toList();
        long rising = labels.stream()
                .flatMap(one -> labels.stream().filter(other -> one[0] < other[0] && one[1] < other[1])).count();
        assertThat(labels).hasSize(200).allMatch(label -> label[0] >= 1000 && label[0] <= 1259);
        assertThat(rising).as("of 19,900 pairs, by chance").isBetween(8_000L, 12_000L);
        assertScheme(said).contains("all rows to be predicted have new values of \"id\"",
                "their place in \"train.csv\" and \"id\" tell much of the target",
                "\"counter\" lies beyond all of \"train.csv\" in 100 % of the rows");
    }

    private CardFolder sorted() throws IOException {
        return CardFolder.in(folder)
                .with("train.csv",
                        "id,counter,x,y\n"
                                + CardFolder.rows(0, 999, i -> "%d,%d,%d,%d".formatted(i, i, i * 7 % 100, i * 3)))
                .with("test.csv",
                        "id,counter,x\n" + CardFolder.rows(1000, 1059, i -> "%d,%d,%d".formatted(i, i, i % 100)))
                .with("sample_submission.csv", "id,y\n" + CardFolder.rows(1000, 1059, i -> i + ",0"));
    }

    @Test
    void hiddenRowsKeepIdsByWhichOtherFilesAreJoined() throws Exception {
        JsonNode said = hide(
                sorted().with("more.csv", "id,z\n" + CardFolder.rows(0, 1059, i -> "%d,%d".formatted(i, i * 11 % 13))));

        assertScheme(said)
                .contains("hidden rows keep their \"id\", by which other files may be joined");
        assertThat(shown("test.csv").lines().skip(1).mapToInt(line -> Integer.parseInt(line.split(",")[0]))
                .filter(id -> id < 1000)).hasSize(200);
    }

    /// Copies under other names, packed, without header, in other formats, in parts, behind 400
    /// tables; tables to join, images and texts stay.
    @ParameterizedTest
    @ValueSource(strings = {"True", "False"})
    void scriptsSeeNoFileThatTellsTheTargetInWhateverForm(String isClass) throws Exception {
        String forms = Files.readString(Path.of("src/test/resources/holdout/forms.py"));
        Path made = Files.createDirectory(folder.resolve("made"));
        JsonNode files =
                Json.parse(new CardFolder(made.resolve("input")).printed("IS_CLASS = " + isClass + "\n" + forms));

        JsonNode said = Json.parse(new CardFolder(made.resolve("input")).printed(PROGRAM));

        JsonNode leftOut = Json.parse(Files.readString(made.resolve("final/holdout/left-out.json")));
        assertThat(leftOut.valueStream().map(JsonNode::textValue)).containsExactlyInAnyOrderElementsOf(
                files.path("leaks").valueStream().map(JsonNode::textValue).toList());
        assertThat(files.path("leaks").size()).isGreaterThan(70);
        assertThat(files.path("harmless").size()).isGreaterThan(400);
        assertThat(said.path("left_out").asText()).startsWith("what tells the target: \"README.md\", \"backup.csv\"")
                .endsWith(
                        "what could not be read whole: \".train.csv.swp\", \"nested.zip\", \"train.pkl\", \"train.sqlite\", \"train.xlsx\"");
    }

    @Test
    void noRowIsHiddenWhereTheNamesOfFilesTellTheTarget() throws Exception {
        CardFolder data = sorted();
        for (int i = 0; i < 1000; i++) {
            data.with("images/%d_%d.jpg".formatted(i, i * 3), "");
        }

        assertThat(hide(data).path("missing").asText()).isEqualTo("the names of files tell \"y\"");
    }
}

package io.mlestar.core.task;

import static io.mlestar.Refusal.refusal;
import static io.mlestar.core.task.Examples.scriptOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A script with its score: what is replaced in one (blocks by what models made of them, and
/// edits), and which of two scores is better, by how much for sure.
class SolutionScriptTest {
    private static final List<String> LINES =
            List.of("", "  ", "a = 1", "    a = 1", "aa = 1", "    b = f(a)  ", "\tb = 2", "        c", "if a:");
    private static final String BLOCK = "scaler = StandardScaler()\nX_train = scaler.fit_transform(X_train)";
    private static final String SCRIPT = "import sklearn\n" + BLOCK + "\nprint(1)\n";
    private static final String EDITED = "import a\n\ndef f():\n    x = 1\n    return x\n\nx = 1\nprint(f())\n";
    private static final SolutionScript SCORED =
            scriptOf("a = 1\nb = 2\n", SolutionPhase.MERGED, 0.8, true, "LightGBM");
    private static final Score BEFORE = drawn("d1", 0.5, 0.7, 0.9);
    private static final Validation ONE =
            new Validation("d1", "k1", 0.7, 0.6, List.of(0.6, 0.7, 0.8), List.of(0.5, 0.6, 0.7));
    private static final Validation OTHER =
            new Validation("d1", "k2", 0.71, 0.6, List.of(0.61, 0.71, 0.81), List.of(0.7, 0.6, 0.5));

    @ParameterizedTest
    @ValueSource(strings = {
        "scaler = StandardScaler()\n X_train = scaler.fit_transform(X_train)",
        "scaler = StandardScaler()\nX_train  = scaler.fit_transform(X_train)",
        "Scaler = StandardScaler()",
        "",
        " \n "})
    @Requirement("REQ-P2O-017")
    void anyOtherDifferenceOrABlankBlockIsNotThere(String block) {
        assertThat(Blocks.locate(block, SCRIPT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "scaler = StandardScaler()  \nX_train = scaler.fit_transform(X_train)",
        "scaler = StandardScaler()\t\nX_train = scaler.fit_transform(X_train)\n\n",
        "scaler = StandardScaler()\r\nX_train = scaler.fit_transform(X_train)"})
    @Requirement("REQ-P2O-018")
    void whiteSpaceAtTheEndsOfLinesDoesNotMatter(String block) {
        assertThat(Blocks.locate(block, SCRIPT)).contains(BLOCK);
    }

    /// The script, the block and its replacement as models gave them, and the script as it has to
    /// be.
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/blocks.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    @Requirement({"REQ-P2O-017", "REQ-P2O-018"})
    void aReplacementLeavesTheLinesBesideItAlone(String escaped, String block, String replacement, String expected) {
        String script = escaped.translateEscapes();
        String located = Blocks.locate(block.translateEscapes(), script).orElseThrow();
        assertThat(script).contains(located);
        String fitted = Blocks.fitted(located, replacement.translateEscapes());
        assertThat(Examples.script(script).replaceBlock(located, fitted).content())
                .isEqualTo(expected.translateEscapes());
    }

    @Test
    void blockThatReplacesItselfChangesNothing() {
        Random random = new Random(7);
        for (int round = 0; round < 2000; round++) {
            String end = random.nextInt(4) == 0 ? "\r\n" : "\n";
            List<String> lines = random.ints(1 + random.nextInt(8), 0, LINES.size()).mapToObj(LINES::get).toList();
            String script = String.join(end, lines) + (random.nextBoolean() ? end : "");
            int from = random.nextInt(lines.size());
            String whole = String.join(end, lines.subList(from, from + 1 + random.nextInt(lines.size() - from)));
            String part = script.substring(random.nextInt(script.length() + 1)).lines().limit(2)
                    .collect(Collectors.joining(end));
            String block = List.of("", end, "\n\n", "  \n").get(random.nextInt(4))
                    + (random.nextBoolean() ? whole : part) + List.of("", end, "\n\n").get(random.nextInt(3));
            Blocks.locate(block, script)
                    .ifPresentOrElse(located -> assertThat(
                            Examples.script(script).replaceBlock(located, Blocks.fitted(located, located)).content())
                            .as(block).isEqualTo(script), () -> assertThat(block).isBlank());
        }
    }

    @Test
    @Requirement("REQ-P2O-032")
    void fiftyKilobytesAreSearchedInFiftyMilliseconds() throws Exception {
        String script = ("x = fit(x)\n".repeat(40) + "x = fit(x)  \ny = fit(y)\n").repeat(112) + BLOCK + "  \n";
        assertThat(script.length()).isGreaterThan(50_000);
        String near = "x = fit(x)\n".repeat(39) + "y = fit(y)";
        assertThat(CpuTime.ofThread(() -> assertThat(Blocks.locate(BLOCK, script)).isPresent()))
                .isLessThan(Duration.ofMillis(50));
        assertThat(CpuTime.ofThread(() -> assertThat(Blocks.locate(near + "!", script)).isEmpty()))
                .isLessThan(Duration.ofMillis(50));
    }

    private static String edit(String search, String replace) {
        return "<<<<<<< SEARCH\n" + search + "\n=======\n" + replace + (replace.isEmpty() ? "" : "\n")
                + ">>>>>>> REPLACE\n";
    }

    private static String applied(String answer) {
        return Edits.applied(answer, EDITED);
    }

    @Test
    void wholeLinesAreReplacedWhereTheyStandOnceAndAnEditSeesWhatThoseBeforeItHaveMade() {
        assertThat(applied("I expect more.\n\n```\n" + edit("    x = 1", "    x = 2\n    x += 1") + "```"))
                .isEqualTo(EDITED.replace("    x = 1", "    x = 2\n    x += 1"));
        assertThat(applied(edit("x = 1", "x = 3"))).as("no part of a line")
                .isEqualTo(EDITED.replace("\nx = 1", "\nx = 3"));
        assertThat(applied(edit("print(f())  ", ""))).isEqualTo(EDITED.replace("print(f())\n", ""));
        assertThat(applied(edit("import a\r", "import b").replace("\n", "\r\n"))).startsWith("import b\n");
        assertThat(applied(edit("import a", "import a\nimport b") + "then\n" + edit("import b", "import c")))
                .startsWith("import a\nimport c\n");
    }

    @Test
    void anEditThatDoesNotFitIsNamed() {
        refusal(() -> applied(edit("import a", "import b") + edit("y = 1", "")))
                .isEqualTo("edit 2 matches nowhere in the script: `y = 1`");
        assertThatThrownBy(() -> Edits.applied(edit("a", "b"), "a\nb\na\n"))
                .hasMessage("edit 1 matches 2 places of the script: `a`");
        assertThatThrownBy(() -> applied(edit("  ", "b"))).hasMessage("edit 1 searches for nothing");
        assertThatThrownBy(() -> applied("<<<<<<< SEARCH\nx = 1\n=======\nx ="))
                .hasMessageContaining("edit 1 is cut off");
        assertThatThrownBy(() -> applied("<<<<<<< SEARCH\nx = 1\n" + edit("a", "b")))
                .hasMessageContaining("no end before the next one");
    }

    @Test
    void anAnswerWithoutMarksHasNoEdits() {
        assertThat(applied("```python\nx = 1 << 5\ny = '======='\n```")).isEqualTo(EDITED);
        assertThat(Edits.begin("a\nb")).isEqualTo(-1);
        assertThat(Edits.begin("a\n<<<<<<< SEARCH\nb")).isEqualTo(2);
    }

    @Test
    @Requirement("REQ-DM-009")
    void contentAndPhaseAreRequired() {
        refusal(() -> Json.read(Json.parse("{\"phase\": \"init\", \"is_executable\": true}"), SolutionScript.class))
                .contains("content");
        refusal(() -> Json.read(Json.parse("{\"content\": \"x\", \"is_executable\": true}"), SolutionScript.class))
                .isEqualTo("phase is required");
    }

    @Test
    @Requirement({"REQ-DM-009", "REQ-DM-039", "REQ-SF-035", "REQ-EX-016"})
    void whatAnEvaluationFindsOutIsPutOnACopy() {
        assertThat(SCORED.scored(Score.printed(0.9)))
                .isEqualTo(scriptOf(SCORED.content(), SolutionPhase.MERGED, 0.9, true, "LightGBM"));
        assertThat(SCORED.failed())
                .isEqualTo(scriptOf(SCORED.content(), SolutionPhase.MERGED, null, false, "LightGBM"));
        assertThat(SCORED.failed().scored(Score.NONE).isExecutable()).isTrue();
        assertThat(SCORED.as(SolutionPhase.FINAL).phase()).isEqualTo(SolutionPhase.FINAL);
        assertThat(SCORED.from("CatBoost").sourceModel()).isEqualTo("CatBoost");
        assertThat(SCORED.score().value()).isEqualTo(0.8);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/replacements.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    @Requirement("REQ-DM-010")
    void onlyTheFirstOccurrenceIsReplacedAndLiterally(String content, String block, String replacement,
            String expected) {
        SolutionScript script = Examples.script(content.translateEscapes());
        assertThat(script.replaceBlock(block.translateEscapes(), replacement.translateEscapes()).content())
                .isEqualTo(expected.translateEscapes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"b = 2 ", "B = 2", ".*", "", "a = 1\r\nb = 2", "a = 1\nb = 2\n\n"})
    @Requirement("REQ-DM-010")
    void aBlockThatDoesNotOccurIsAnError(String block) {
        refusal(IllegalArgumentException.class, () -> SCORED.replaceBlock(block, "c")).contains("block");
    }

    @Test
    @Requirement("REQ-DM-009")
    void survivesARoundTripWhateverItHolds() {
        SolutionScript script =
                scriptOf("s = \"\\\\ 'q' \t é 😀 \0\"\r\n", SolutionPhase.ENSEMBLE, -1e-300, false, "ä");

        assertThat(Examples.roundTrip(script, SolutionScript.class)).isEqualTo(script);
        assertThat(Json.tree(Examples.script("x")).toString())
                .isEqualTo(
                        """
                                {"content":"x","phase":"init","score":null,"validation":null,"is_executable":true,"source_model":null,\
                                "step":null,"duration_seconds":null,"printed":null}""");
    }

    private static Score drawn(String rows, Double... draws) {
        return Score.by(new Validation(rows, "p", draws[0], 0, List.of(draws), List.of(0.0, 0.0, 0.0)));
    }

    @Test
    void aLeadHasTheErrorOfTheDifferenceAndNotThatOfTheScores() {
        Score.Lead lead = drawn("d1", 0.51, 0.72, 0.93).over(BEFORE, MetricDirection.MAXIMIZE);
        assertThat(lead.gain()).isCloseTo(0.01, within(1e-12));
        assertThat(lead.error()).isCloseTo(0.01, within(1e-12));
        assertThat(BEFORE.over(drawn("d1", 0.51, 0.72, 0.93), MetricDirection.MINIMIZE).gain()).isCloseTo(0.01,
                within(1e-12));
    }

    @Test
    void scoresByOtherRowsAndPrintedOnesAreTwoNumbers() {
        assertThat(Score.printed(0.75).over(BEFORE, MetricDirection.MAXIMIZE)).isEqualTo(new Score.Lead(0.25, null));
        assertThat(drawn("d2", 0.75, 0.7, 0.9).over(BEFORE, MetricDirection.MAXIMIZE))
                .isEqualTo(new Score.Lead(0.25, null));
        assertThat(Score.NONE.over(BEFORE, MetricDirection.MAXIMIZE)).isNull();
        assertThat(BEFORE.over(Score.NONE, MetricDirection.MAXIMIZE)).isNull();
    }

    @Test
    void whatWasStoppedAfterTheFirstFoldIsComparedOnThatAndHasNoScore() {
        Score lost = new Score(null, drawn("d1", 0.3, 0.5, 0.7).trusted());
        assertThat(lost.isLost()).isTrue();
        assertThat(lost.over(BEFORE, MetricDirection.MAXIMIZE).gain()).isCloseTo(-0.2, within(1e-12));
        refusal(NullPointerException.class, lost::known).isEqualTo("the script has no score");
    }

    @Test
    void inARecordItIsTwoFieldsAsItHasAlwaysBeen() {
        SolutionScript script = SolutionScript.unscored("x = 1", SolutionPhase.INIT);
        assertThat(Json.line(script)).contains("\"score\":null,\"validation\":null");
        for (Score score : List.of(Score.NONE, Score.printed(0.5), BEFORE, new Score(null, BEFORE.trusted()))) {
            assertThat(Json.read(Json.tree(script.scored(score)), SolutionScript.class).score()).isEqualTo(score);
        }
        assertThat(Json
                .read(Json.parse("""
                        {"content":"x","phase":"init","is_executable":true}"""), SolutionScript.class)
                .score()).isEqualTo(Score.NONE);
    }

    /// Two scripts that are wrong about the same rows differ by much less than each of them is
    /// uncertain.
    @Test
    void theErrorOfAScoreIsTheDeviationOfItsDrawsAndThatOfAGainTheOneOfPairedDifferences() {
        assertThat(ONE.searchError()).isCloseTo(0.1, within(1e-12));
        assertThat(ONE.selectError()).isCloseTo(0.1, within(1e-12));
        assertThat(OTHER.errorOfGain(ONE)).isCloseTo(0, within(1e-12));
        assertThat(OTHER.errorOfSelectGain(ONE)).isCloseTo(0.2, within(1e-12));
    }

    @Test
    void theGainOnEachFoldIsKnownWhereBothAreByTheSameFolds() {
        Validation one = folded("d", Arrays.asList(0.5, null, 0.75));
        Validation other = folded("d", Arrays.asList(0.25, 0.5, 1.0));

        assertThat(one.gains(other, MetricDirection.MAXIMIZE)).containsExactly(0.25, null, -0.25);
        assertThat(one.gains(other, MetricDirection.MINIMIZE)).containsExactly(-0.25, null, 0.25);
        assertThat(one.gains(folded("e", other.folds()), MetricDirection.MAXIMIZE)).as("of other rows").isEmpty();
        assertThat(one.gains(folded("d", List.of()), MetricDirection.MAXIMIZE)).as("of a record without them")
                .isEmpty();
    }

    private static Validation folded(String rows, List<Double> folds) {
        List<Double> draws = List.of(0.5, 0.6);
        return new Validation(rows, "k", 0.5, 0.5, draws, draws, new Validation.Sample(rows + "/0", 0.5, draws), folds);
    }

    @Test
    void scriptsOfOtherNumbersOfFoldsAreComparedOnTheFirst() {
        List<Double> draws = List.of(0.6, 0.7, 0.8);
        Validation all = new Validation("d", "k", 0.5, 0.6, draws, draws,
                new Validation.Sample("d/0", 0.7, List.of(0.61, 0.7, 0.79)), List.of());
        Validation first = new Validation("d/0", "k", 0.8, 0.6, List.of(0.71, 0.8, 0.9), draws);

        assertThat(first.gain(all, MetricDirection.MAXIMIZE)).isCloseTo(0.1, within(1e-12));
        assertThat(all.gain(first, MetricDirection.MINIMIZE)).isCloseTo(0.1, within(1e-12));
        assertThat(first.errorOfGain(all)).as("of 0.10, 0.10 and 0.11").isCloseTo(0.01 / Math.sqrt(3), within(1e-12));
        assertThat(all.isSurelyWorse(first, MetricDirection.MAXIMIZE)).isTrue();
        assertThat(first.isSurelyWorse(all, MetricDirection.MAXIMIZE)).isFalse();
        assertThat(all.on(all).score()).as("two of several folds on all").isEqualTo(0.5);
    }

    @Test
    void validationsByOtherRowsCannotBeCompared() {
        Validation other = new Validation("d2", "k", 0.7, 0.6, List.of(0.6, 0.7, 0.8), List.of(0.5, 0.6, 0.7));
        Validation longer = new Validation("d1", "k", 0.7, 0.6, List.of(0.6, 0.7), List.of(0.5, 0.6));

        assertThat(other.isComparable(ONE)).isFalse();
        refusal(() -> other.errorOfGain(ONE)).isEqualTo("scores by other rows cannot be compared: d2 and d1");
        assertThatThrownBy(() -> other.errorOfSelectGain(ONE)).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> other.gain(ONE, MetricDirection.MAXIMIZE)).isInstanceOf(Invalid.class);
        refusal(() -> longer.errorOfGain(ONE)).isEqualTo("validations with other numbers of draws cannot be compared");
        refusal(() -> new Validation("d1", "k", 1, 1, List.of(1.0), List.of(1.0, 1.0)))
                .isEqualTo("a validation needs at least 2 draws, to know its error");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/compared-scores.csv", delimiter = '|', numLinesToSkip = 1)
    @Requirement({"REQ-DM-028", "REQ-DM-029"})
    void comparesStrictlyOrWithTies(MetricDirection direction, double newer, double older, boolean better,
            boolean betterOrEqual) {
        assertThat(direction.isImprovement(newer, older)).isEqualTo(better);
        assertThat(direction.isImprovementOrEqual(newer, older)).isEqualTo(betterOrEqual);
    }

    @Test
    void findsTheBestOfThoseThatHaveAScoreTheFirstOfEquals() {
        List<Double> scores = Arrays.asList(null, 0.5, 0.9, -0.9, 0.9, -0.9, null);
        List<Integer> places = IntStream.range(0, scores.size()).boxed().toList();
        assertThat(MetricDirection.MAXIMIZE.best(places, scores::get)).contains(2);
        assertThat(MetricDirection.MINIMIZE.best(places, scores::get)).contains(3);
        assertThat(MetricDirection.MINIMIZE.best(List.of(0), scores::get)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotANumberIsBetterThanNoNumber(MetricDirection direction) {
        List<Double> scores = List.of(Double.NaN, 0.5, Double.NaN, 0.9, Double.POSITIVE_INFINITY, -1e308);

        assertThat(scores.stream().sorted(direction.bestFirst()).skip(4)).containsOnly(Double.NaN);
        assertThat(direction.best(scores, score -> score)).hasValueSatisfying(
                best -> assertThat(best).isEqualTo(scores.stream().sorted(direction.bestFirst()).findFirst().get()));
        for (double score : List.of(0.5, -1e308)) {
            assertThat(direction.isImprovement(Double.NaN, score)).isFalse();
            assertThat(direction.isImprovementOrEqual(Double.NaN, score)).isFalse();
            assertThat(direction.isImprovement(score, Double.NaN)).isTrue();
            assertThat(direction.better(Double.NaN, score)).isEqualTo(score);
            assertThat(direction.better(score, Double.NaN)).isEqualTo(score);
        }
    }
}

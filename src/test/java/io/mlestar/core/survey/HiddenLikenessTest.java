package io.mlestar.core.survey;

import static io.mlestar.core.survey.HiddenData.assertScheme;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.CardFolder;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The rows that the real program hides where the test differs from training, and what the ids of
/// the rows that a script is to predict tell of which ones are hidden: nothing.
@Timeout(300)
class HiddenLikenessTest {
    private static final Pattern NAMED = Pattern.compile("(?m)^(def \\w+|class \\w+|[A-Z_]+ =)");
    private static final int FOLDS = 5;
    private static final int TESTS = 300;
    private static final int HIDDEN = 200;

    @TempDir
    private Path folder;

    private JsonNode hide(String columns, int rows, IntFunction<String> train, IntFunction<String> test)
            throws Exception {
        return new HiddenData(folder).hide(SurveyScripts.holdout(CardFolder.PATIENT, FOLDS, ""), "id," + columns, rows,
                i -> i + "," + train.apply(i), i -> 5_000 + i, test, TESTS);
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
    void rowsOfTheSeasonOfTheTestAreHidden() throws Exception {
        JsonNode said =
                hide("date,x", 1_520, i -> day(i / 5) + "," + i % 31, i -> day(304 + i * 122 / TESTS) + "," + i % 31);

        assertScheme(said)
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
    void theLastRowsAreHiddenWhereTheyHoldTheSeasonOfTheTest() throws Exception {
        JsonNode said =
                hide("date,x", 1_460, i -> day(i / 2) + "," + i % 31, i -> day(730 + i * 122 / TESTS) + "," + i % 31);

        assertScheme(said).startsWith("the last rows by \"date\"");
        assertThat(said.path("in_time").asBoolean()).isTrue();
    }

    /// One of eight clinics is far, and most of the test's are: clinics are too few to hide some of
    /// them only, but the line says it.
    @Test
    void howGroupsOfTheTestDifferIsSaid() throws Exception {
        JsonNode said =
                hide("clinic,distance", 2_400, i -> "c" + i / 10 + "," + (i / 10 % 8 == 0 ? 90 : 10 + i / 10 % 7),
                        i -> "d" + i / 10 + "," + (i / 10 % 8 < 7 ? 90 : 12));

        assertScheme(said).startsWith("whole groups of one \"clinic\": ").contains(
                "; rows of \"test.csv\" can be told from those of training",
                "most by \"distance\"", "5 folds");
    }

    @Test
    void rowsOfTheMixOfTheTestAreHidden() throws Exception {
        JsonNode said = hide("heat,x", 2_400, i -> (i % 8 == 0 ? 90 : 10 + i % 7) + "," + i % 31,
                i -> (i % 8 < 7 ? 90 : 12) + "," + i % 31);

        assertScheme(said).startsWith("rows at random in 5 folds: ")
                .contains("most by \"heat\"", "rows of their mix are hidden, where all of training are worth");
        assertThat(share(searched(), row -> row % 8 == 0)).as("hot, of an eighth of the rows").isBetween(0.6, 0.95);
    }

    /// Nothing differs but by chance, and each row is hidden once.
    @Test
    void allRowsAreHiddenWhereTheTestIsLikeTraining() throws Exception {
        JsonNode said = hide("heat,x", 2_000, i -> i * 7 % 50 + "," + i % 31, i -> i * 7 % 50 + "," + i % 31);

        assertScheme(said).startsWith("rows at random in 5 folds: ")
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

    /// Ids of the training rows and of those of the test.
    enum Ids {
        BEHIND(i -> i, i -> 5_000 + i),
        BEFORE(i -> 5_000 + i, i -> i),
        AMONG(i -> i * 17 % 1_060, i -> (1_000 + i) * 17 % 1_060),
        EACH_FIFTH(i -> i + i / 4 + 1, i -> 5 * i),
        THE_SAME(i -> i, i -> i),
        PREFIXED(i -> "train_" + i, i -> "test_" + i),
        SHUFFLED(i -> i, i -> 5_000 + i * 7 % HiddenData.TEST),
        HASHES(Ids::hash, i -> hash(1_000 + i)),
        OTHER_FORM(i -> hash(i).substring(1) + "x", i -> hash(1_000 + i));

        private final IntFunction<?> training;
        private final IntFunction<?> test;

        Ids(IntFunction<?> training, IntFunction<?> test) {
            this.training = training;
            this.test = test;
        }

        private static String hash(int i) {
            return "%08x".formatted(i * 0x9E3779B9);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noIdNorPlaceTellsWhichRowsAreHidden(Ids ids) throws Exception {
        HiddenData data = new HiddenData(folder);

        data.hide(1, "id,x", 1_000, i -> ids.training.apply(i) + "," + i % 31, ids.test, i -> String.valueOf(i % 31));

        List<String> asked = data.ids(0, "test.csv");
        Set<String> hidden = data.hidden().stream().map(HiddenData.Hidden::id).collect(Collectors.toSet());
        assertThat(data.ids(0, "sample_submission.csv")).isEqualTo(asked).hasSize(HIDDEN + HiddenData.TEST)
                .containsAll(hidden);
        assertThat(apart(asked, hidden)).as("by their places").isLessThan(0.3);
        assertThat(apart(asked.stream().sorted().toList(), hidden)).as("as texts").isLessThan(0.3);
        assertThat(apart(asked.stream().sorted(HiddenLikenessTest::byNumber).toList(), hidden)).as("as numbers")
                .isLessThan(0.3);
        Map<String, Function<String, Object>> traits =
                Map.of("length", String::length, "begin", id -> id.substring(0, Math.min(3, id.length())),
                        "rest by two", id -> last(id) % 2, "rest by five", id -> last(id) % 5, "form",
                        id -> id.replaceAll("[0-9a-f]", "0"));
        traits.forEach((what, trait) -> assertThat(apart(asked, hidden, trait)).as(what).isLessThan(0.3));
        if (ids == Ids.BEHIND || ids == Ids.AMONG) {
            eachNameOfTheTestsRowsLeadsToItsOwnId(ids, hidden);
        }
    }

    private void eachNameOfTheTestsRowsLeadsToItsOwnId(Ids ids, Set<String> hidden) throws IOException {
        Path names = folder.resolve("final/holdout/names.csv");
        Map<String, String> own = !Files.exists(names) ? Map.of() : Files.readAllLines(names).stream().skip(1)
                .collect(Collectors.toMap(line -> line.split(",")[0], line -> line.split(",")[1]));
        assertThat(own).hasSize(ids == Ids.BEHIND ? HiddenData.TEST : 0);
        Map<String, String> found = Files.readAllLines(folder.resolve("final/holdout/fold0/test.csv")).stream().skip(1)
                .map(line -> line.split(",")).filter(row -> !hidden.contains(row[0]))
                .collect(Collectors.toMap(row -> own.getOrDefault(row[0], row[0]), row -> row[1]));
        assertThat(found).isEqualTo(IntStream.range(0, HiddenData.TEST).boxed()
                .collect(Collectors.toMap(i -> String.valueOf(ids.test.apply(i)), i -> String.valueOf(i % 31))));
    }

    private static int byNumber(String one, String other) {
        return one.length() == other.length() ? one.compareTo(other) : Integer.compare(one.length(), other.length());
    }

    private static int last(String id) {
        return Character.digit(id.charAt(id.length() - 1), 36);
    }

    /// The largest difference of the two shares of rows up to a place.
    private static double apart(List<String> ordered, Set<String> hidden) {
        double apart = 0;
        double most = 0;
        for (String id : ordered) {
            apart += hidden.contains(id) ? 1.0 / HIDDEN : -1.0 / HiddenData.TEST;
            most = Math.max(most, Math.abs(apart));
        }
        return most;
    }

    /// The largest difference of the two shares of rows with a trait.
    private static double apart(List<String> ids, Set<String> hidden, Function<String, Object> trait) {
        Map<Object, Long> here = counts(ids.stream().filter(hidden::contains).toList(), trait);
        Map<Object, Long> there = counts(ids.stream().filter(id -> !hidden.contains(id)).toList(), trait);
        Set<Object> all = new HashSet<>(here.keySet());
        all.addAll(there.keySet());
        return all.stream()
                .mapToDouble(each -> Math.abs(here.getOrDefault(each, 0L) / (double) HIDDEN
                        - there.getOrDefault(each, 0L) / (double) HiddenData.TEST))
                .max()
                .orElseThrow();
    }

    private static Map<Object, Long> counts(List<String> ids, Function<String, Object> trait) {
        return ids.stream().collect(Collectors.groupingBy(trait, Collectors.counting()));
    }
}

package io.mlestar.adapter.grade;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.Validation;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Scores of hidden rows, and how far the predictions for them are from those for the test.
class HiddenLabelsTest {
    private static final String LABELS =
            "id,y,group,part\na,0,0,0\nb,1,1,0\nc,0,2,0\nd,1,3,0\ne,1,0,select\nf,0,1,select\ng,1,2,select\n";

    private static final int ROWS = 2000;
    private final Random random = new Random(7);
    private final double[] scored = random.doubles(ROWS).map(value -> 3 + value).toArray();

    private static Table table(String csv) {
        return Table.of("./final/submission.csv", csv.getBytes(StandardCharsets.UTF_8), 1);
    }

    private static HiddenLabels scorer(String metric, String labels) {
        return HiddenLabels.of(labels.getBytes(StandardCharsets.UTF_8), TableFormat.USUAL, metric, "d1",
                OptionalInt.empty());
    }

    /// A table of so many rows, each given as its fields after the id.
    private static String rows(String header, int rows, IntFunction<String> row) {
        return IntStream.range(0, rows).mapToObj(i -> "r" + i + "," + row.apply(i))
                .collect(Collectors.joining("\n", header + "\n", "\n"));
    }

    private static String part(int row) {
        return row % 2 == 0 ? "0" : "select";
    }

    @Test
    void eachPartHasItsOwnScoreWhateverElseTheSubmissionHolds() {
        Validation scored = scorer("accuracy", LABELS)
                .validate(table("id,y\nx,1\ng,0\nf,0.0\ne,1\nd,1\nc,True\nb,1\na,0\ny,0\n"), "key");
        assertThat(scored.search()).isEqualTo(0.75);
        assertThat(scored.select()).isCloseTo(2 / 3.0, within(1e-12));
        assertThat(scored.searchDraws()).hasSize(50).allMatch(draw -> draw >= 0 && draw <= 1);
    }

    /// Else they were draws without any error, and a rare class made scores look sure.
    @Test
    void resamplesWithoutAClassAreLeftOutForAllScripts() {
        String labels =
                "id,y,group,part\n"
                        + IntStream.range(0, 12).mapToObj(i -> "r" + i + "," + (i == 0 ? 1 : 0) + "," + i + ",0\n")
                                .collect(Collectors.joining())
                        + "s,0,12,select\nt,1,13,select\n";
        Function<Integer, Validation> scored = best -> scorer("AUC", labels).validate(table("id,y\n"
                + IntStream.range(0, 12).mapToObj(i -> "r" + i + "," + (i + best) % 12 + "\n")
                        .collect(Collectors.joining())
                + "s,0\nt,1\n"), "key");

        assertThat(scored.apply(5).searchDraws()).hasSizeBetween(20, 45).hasSameSizeAs(scored.apply(7).searchDraws());
        assertThat(scored.apply(5).errorOfGain(scored.apply(7))).isPositive();
    }

    @Test
    void rowsThatTheTaskAsksForAreKeptInTheirOrderUnderItsOwnIds(@TempDir Path folder) throws Exception {
        RowNames names = RowNames.of("name,id\nx,7\na,8\n".getBytes(StandardCharsets.UTF_8));
        Path submission =
                Files.writeString(folder.resolve("submission.csv"), "id,y\r\nx,1\r\ng,0\r\n\"q,\"\"\",0.50\r\na,0\r\n");
        try (OutputStream rest = Files.newOutputStream(folder.resolve("rest.csv"))) {
            scorer("accuracy", LABELS).withoutHidden(Files.newInputStream(submission), rest, names);
        }
        assertThat(Files.readString(folder.resolve("rest.csv"))).isEqualTo("id,y\r\n7,1\r\n\"q,\"\"\",0.50\r\n");
    }

    /// By rows the error of an accuracy p is √(p(1 − p)/n); where rows of one group are right or
    /// wrong together, n is the number of groups.
    @ParameterizedTest
    @CsvSource({"1, 2000", "20, 100"})
    void errorIsThatOfIndependentGroups(int rowsOfGroup, int groups) {
        int rows = 2 * rowsOfGroup * groups;
        String labels = rows("id,y,group,part", rows, i -> "1," + i / (2 * rowsOfGroup) + "," + part(i));
        Random random = new Random(7);
        int[] right = IntStream.range(0, groups).map(_ -> random.nextDouble() < 0.8 ? 1 : 0).toArray();
        Validation scored = scorer("accuracy", labels)
                .validate(table(rows("id,y", rows, i -> String.valueOf(right[i / (2 * rowsOfGroup)]))), "key");
        double expected = Math.sqrt(scored.search() * (1 - scored.search()) / groups);
        assertThat(scored.searchError()).as("seed 7").isBetween(0.75 * expected, 1.25 * expected);
        assertThat(scored.searchDraws().stream().mapToDouble(d -> d).average().orElseThrow()).isCloseTo(scored.search(),
                within(expected / 2));
    }

    /// Each is a finite number; their sum, or that of their squares, is none.
    @ParameterizedTest
    @CsvSource({"MAE, 1e308, false", "MAE, 1e300, false", "MAE, 1e140, true", "RMSE, 1.2e154, false",
        "RMSE, -1e200, false", "RMSE, 1e140, true",
        "RMSLE, 1.7e308, true",
        "QWK, 1.2e154, false", "QWK, 1e308, false", "QWK, 1e100, true", "AUC, 1.7e308, true", "accuracy, 1e308, true",
        "F1, 1e308, true",
        "macro F1, 1e308, true", "log loss, 1e308, false"})
    void predictionsThatAreTooLargeForTheMetricAreTheirAuthorsFault(String metric, String value, boolean isScored) {
        HiddenLabels labels = scorer(metric, LABELS);
        Table given = table("id,y\na,1\n"
                + "bcdefg".chars().mapToObj(id -> (char) id + "," + value + "\n").collect(Collectors.joining()));
        if (isScored) {
            Validation scored = labels.validate(given, "key");
            assertThat(List.of(scored.search(), scored.select())).allMatch(Double::isFinite);
            assertThat(List.of(scored.searchError(), scored.selectError(), scored.errorOfGain(scored)))
                    .allMatch(Double::isFinite);
        } else {
            assertThatThrownBy(() -> labels.validate(given, "key")).isInstanceOf(Invalid.class)
                    .hasMessageFindingMatch("too large|between 0 and 1");
        }
    }

    @Test
    void whatDiffersLittleIsComparedMoreSharplyThanEachIsKnown() {
        Random random = new Random(3);
        double[] truth = random.doubles(1000, 0, 1).map(Math::rint).toArray();
        double[] chance = IntStream.range(0, 1000).mapToDouble(i -> truth[i] + 2 * random.nextGaussian()).toArray();
        HiddenLabels scorer = scorer("AUC", rows("id,y,group,part", 1000, i -> truth[i] + "," + i + "," + part(i)));
        Validation one = scorer.validate(table(rows("id,y", 1000, i -> String.valueOf(chance[i]))), "one");
        Validation other =
                scorer.validate(table(rows("id,y", 1000, i -> String.valueOf(chance[i] + i % 3 * 0.01))), "other");
        assertThat(one.errorOfGain(other)).as("seed 3").isPositive().isLessThan(one.searchError() / 10);
        assertThat(one.errorOfGain(one)).isZero();
    }

    @Test
    void classesMayHaveAColumnEachAndATargetMayBeCalledGroup() {
        HiddenLabels scorer =
                scorer("log loss", "id,group,group,part\n1,cat,1,0\n2,dog,2,0\n3,cat,1,select\n4,dog,2,select\n");
        assertThat(scorer.validate(table("id,cat,dog\n1,0.5,0.5\n2,0.5,0.5\n3,1,0\n4,0,1\n"), "key").search())
                .isCloseTo(Math.log(2), within(1e-12));
        refusal(() -> scorer.validate(table("id,cat,cow\n1,0.5,0.5\n2,0.5,0.5\n3,1,0\n4,0,1\n"), "key")).isEqualTo(
                "the columns cat, cow cannot be scored by log loss; they must be those of the sample submission");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    id,y;a,0;b,1;c,0                                  | must have a row for each id of the test table; it has 3 rows, the first for the id "a"
                    id,y                                              | must have a row for each id of the test table; it has 0 rows
                    id,y;a,0;b,1;c,0;d,1;e,1;f,0;g,1;a,1              | 1 row repeats an id: id a in line 9
                    id,y;a,0;b,1;c,0;d,nan;e,1;f,0;g,1                | "nan" is no finite number
                    id,y;a,0;b,1;c,0;d,;e,1;f,0;g,1                   | "" is no finite number
                    id,y;a,0;b,1;c,0;d,1e400;e,1;f,0;g,1              | "1e400" is no finite number
                    id,y;a,0;b,1;c,0;d,1e300;e,1;f,0;g,1              | not a finite number
                    id,z;a,0;b,1;c,0;d,1;e,1;f,0;g,1                  | the columns z cannot be scored by RMSE; they must be those of the sample submission
                    id;a;b;c;d;e;f;g                                  | the columns  cannot be scored
                    id,y;a,0,1;b,1;c,0;d,1;e,1;f,0;g,1                | 1 line with another number of fields
                    """)
    void whatCannotBeScoredIsSaidInOneLine(String csv, String said) {
        HiddenLabels scorer = scorer("RMSE", LABELS);
        assertThatThrownBy(() -> scorer.validate(table(csv.replace(";", "\n")), "key")).isInstanceOf(Invalid.class)
                .hasMessageContaining(said)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            accuracy    | id,y,group,part;a,1,0,0;b,1,0,0      | no row for select
            accuracy    | id,group,part;a,0,0;b,0,select            | no target
            accuracy    | id,y,group,part;a,1,0,0;a,1,0,select      | repeats an id
            glory       | id,y,group,part;a,1,0,0;b,1,0,select      | cannot be graded here
            """)
    void labelsThatCannotBeScoredByAreRefusedBeforeAnyScriptRuns(String metric, String labels, String said) {
        refusal(() -> scorer(metric, labels.replace(";", "\n"))).contains(said);
    }

    /// So the survey finds out before any script runs.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            RMSE     | id,y,group,part;a,x,0,0;b,1,0,select      | id,y;a,0.5;b,0.5     | cannot be scored by RMSE
            AUC      | id,y,group,part;a,1,0,0;b,1,0,select      | id,y;a,0.5;b,0.5     | one class
            AUC      | id,y,group,part;a,yes,0,0;b,no,0,select   | id,y;a,0.5;b,0.5     | cannot be scored by ROC-AUC
            AUC      | id,y,group,part;a,1,0,0;b,0,0,select      | id,p,q;a,0,0;b,0,0   | cannot be scored by ROC-AUC
            """)
    void sampleSubmissionShowsWhetherTheMetricIsDefinedForTheLabels(String metric, String labels, String sample,
            String said) {
        HiddenLabels scorer = scorer(metric, labels.replace(";", "\n"));
        refusal(() -> scorer.validate(table(sample.replace(";", "\n")), "key")).contains(said);
    }

    /// The rows that are asked for are the first ones of those that were scored.
    private static Table predicted(int rows, IntToDoubleFunction predicted) {
        String csv = IntStream.range(0, rows).mapToObj(row -> row + "," + predicted.applyAsDouble(row))
                .collect(Collectors.joining("\n", "id,y\n", "\n"));
        return Table.of("rows", csv.getBytes(StandardCharsets.UTF_8), 1);
    }

    private double distance(String metric, IntToDoubleFunction then, IntToDoubleFunction now) {
        return PredictionDistance.of(predicted(ROWS, then), predicted(ROWS - 100, now), Metric.named(metric).blend(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RMSE", "MAE", "RMSLE", "log loss", "AUC"})
    void equalIsNothingNoiseIsLittleAndOthersAreFar(String metric) {
        assertThat(distance(metric, row -> scored[row], row -> scored[row])).isZero();
        assertThat(distance(metric, row -> scored[row], row -> scored[row] + random.nextGaussian() / 20))
                .isBetween(0.01, 0.2);
        assertThat(distance(metric, row -> scored[row], row -> scored[ROWS - 1 - row])).isCloseTo(1, within(0.05));
        assertThat(distance(metric, row -> scored[row], row -> -77777)).isGreaterThan(SubmissionComparison.MOST);
    }

    @Test
    void orderAloneCountsWhereTheMetricSeesNoMoreAndAConstantThatHasChangedIsFar() {
        assertThat(distance("AUC", row -> scored[row], row -> scored[row] / 1000)).isZero();
        assertThat(distance("RMSE", row -> scored[row], row -> scored[row] / 1000))
                .isGreaterThan(SubmissionComparison.MOST);
        assertThat(distance("RMSE", row -> 4, row -> 4)).isZero();
        assertThat(new SubmissionComparison(distance("RMSE", row -> 4, row -> 5), null, null).differs()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"accuracy", "macro F1", "QWK"})
    void labelsAreComparedByTheShareOfOthers(String metric) {
        assertThat(distance(metric, row -> row % 3, row -> row % 3)).isZero();
        assertThat(distance(metric, row -> row % 3, row -> row % 20 == 0 ? 5 : row % 3)).isCloseTo(0.05 / (2.0 / 3),
                within(0.01));
        assertThat(distance(metric, row -> row % 3, row -> 0)).isCloseTo(1, within(0.01));
        assertThat(new SubmissionComparison(distance(metric, row -> row % 3, row -> 0), null, null).differs())
                .hasValueSatisfying(why -> assertThat(why).contains("1.00"));
    }

    /// Rows that were hidden, in ROWS draws of one kind, and those of the test.
    private double apart(String metric, IntToDoubleFunction hidden, IntToDoubleFunction asked) {
        return PredictionDistance.apart(predicted(ROWS, hidden), predicted(300, asked), Metric.named(metric).blend(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RMSE", "MAE", "RMSLE", "log loss", "AUC"})
    void twoSamplesOfOneKindAreNearAndGarbageForTheTestAloneIsFar(String metric) {
        assertThat(apart(metric, row -> random.nextGaussian(), row -> random.nextGaussian()))
                .isLessThan(SubmissionComparison.MOST_SHIFT);
        assertThat(apart(metric, row -> random.nextGaussian(), row -> 77_943 + row))
                .isGreaterThan(SubmissionComparison.MOST_APART);
    }

    @Test
    void labelsAreTwoSamplesByTheirShares() {
        assertThat(apart("accuracy", row -> row % 3, row -> row % 3)).isCloseTo(0, within(0.01));
        assertThat(apart("accuracy", row -> row % 3, row -> 0)).isCloseTo(1, within(0.01));
    }

    @Test
    void theSubmissionIsWhatWasScoredUnlessItIsShiftedOrOfAnotherKind() {
        assertThat(new SubmissionComparison(0.3, 0.9, 0.2).differs()).isEmpty();
        assertThat(new SubmissionComparison(0.3, null, -0.4).differs()).isEmpty();
        assertThat(new SubmissionComparison(0.3, 1.1, 0.0).differs())
                .hasValueSatisfying(why -> assertThat(why).contains("1.10 apart"));
        assertThat(new SubmissionComparison(0.48, 0.1, 0.4).differs())
                .hasValueSatisfying(why -> assertThat(why).contains("by 0.40"));
    }

    @Test
    void whatCannotBeComparedIsRefused() {
        Table other = Table.of("other", "id,z\n1,2\n".getBytes(StandardCharsets.UTF_8), 1);
        Table elsewhere = Table.of("elsewhere", "id,y\nx1,2\n".getBytes(StandardCharsets.UTF_8), 1);
        refusal(() -> PredictionDistance.of(predicted(3, row -> row), other, How.MEAN)).contains("columns");
        refusal(() -> PredictionDistance.of(predicted(3, row -> row), elsewhere, How.MEAN)).contains("no row");
    }
}

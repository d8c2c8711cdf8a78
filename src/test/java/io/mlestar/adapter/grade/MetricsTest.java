package io.mlestar.adapter.grade;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.ProjectFiles;
import io.mlestar.adapter.grade.GreedyBlend.ValidatedBlend;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.Validation;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// Metrics by their names, against figures that scikit-learn 1.9.1 and SciPy computed: on twelve
/// rows, and on the same with each row repeated as often as its weight says. The blends that go by
/// them.
class MetricsTest {
    private static final int ROWS = 600;

    private static final int[] WEIGHTS = {1, 2, 1, 3, 1, 2, 1, 1, 2, 1, 1, 2};

    private static final Map<String, Data> DATA = ProjectFiles.text(Path.of("src/test/resources/metric/data.csv"))
            .lines().skip(1).map(line -> line.split(" \\| "))
            .collect(Collectors.toMap(cells -> cells[0], cells -> new Data(cells[1], cells[2], cells[3])));

    private static byte[] csv(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static HiddenLabels labels(String metric, IntToDoubleFunction truth) {
        return HiddenLabels.of(csv(IntStream.range(0, ROWS)
                .mapToObj(i -> i + "," + truth.applyAsDouble(i) + "," + i + "," + (i % 2 == 0 ? "0" : "select"))
                .collect(Collectors.joining("\n", "id,y,group,part\n", "\n"))),
                TableFormat.USUAL, metric, "d1", OptionalInt.of(0));
    }

    private static Table given(IntToDoubleFunction predicted) {
        return Table.of("predictions", csv(IntStream.range(0, ROWS).mapToObj(i -> i + "," + predicted.applyAsDouble(i))
                .collect(Collectors.joining("\n", "id,y\n", "\n"))), 1);
    }

    private static List<String> keys(List<Table> of) {
        return IntStream.range(0, of.size()).mapToObj(i -> "key" + i).toList();
    }

    /// Weights where each row's number is the truth.
    private static List<Integer> weights(String metric, List<Table> members) {
        return GreedyBlend.of(labels(metric, i -> i), members, keys(members)).blend().weights();
    }

    /// Twelve members that know the truth with noise of different sizes, as numbers or as classes.
    private static List<Table> members(double[] truth, boolean classes, Random random) {
        return IntStream.range(1, 13).mapToObj(size -> {
            double[] said = IntStream.range(0, ROWS)
                    .mapToDouble(i -> truth[i] + random.nextGaussian() * (0.3 + size / 12.0)).toArray();
            return given(i -> classes ? Math.clamp(Math.rint(said[i]), 0, 1) : Math.clamp(said[i] / 3 + 0.35, 0, 1));
        }).toList();
    }

    @ParameterizedTest
    @CsvSource({"AUC, false, 1", "RMSE, false, 2", "MAE, false, 3", "RMSLE, false, 4", "log loss, false, 5",
        "accuracy, true, 6", "F1, true, 7",
        "macro F1, true, 8", "QWK, true, 9"})
    void blendIsWithinNoiseOfItsBestMemberOrBetter(String metric, boolean classes, int seed) {
        Random random = new Random(seed);
        double[] truth = IntStream.range(0, ROWS).mapToDouble(_ -> random.nextInt(2)).toArray();
        HiddenLabels labels = labels(metric, i -> truth[i]);
        List<Table> members = members(truth, classes, random);

        ValidatedBlend blended = GreedyBlend.of(labels, members, keys(members));

        List<Validation> alone = members.stream().map(one -> labels.validate(one, "key")).toList();
        Validation best = alone.stream()
                .min(Comparator.comparing(Validation::search, labels.metric().direction().bestFirst())).orElseThrow();
        assertThat(blended.validation().isSurelyWorse(best, labels.metric().direction()))
                .as("seed %d: %s", seed, blended.blend()).isFalse();
        assertThat(blended.blend().weights()).hasSize(members.size());
        assertThat(blended.blend().weights().stream().mapToInt(weight -> weight).sum()).isPositive();
        assertThat(blended.validation().searchDraws()).hasSize(50);
    }

    @Test
    void predictionsWhoseSumIsNoNumberHaveAMeanAllTheSame() {
        List<Table> members = List.of(given(i -> i * 1e305), given(i -> (i + 1) * 1e305));
        ValidatedBlend blended = GreedyBlend.of(labels("AUC", i -> i % 200 < 100 ? 0 : 1), members, keys(members));
        assertThat(blended.validation().search()).isBetween(0.0, 1.0);
    }

    @Test
    void errorsThatCancelAreBlendedAndTheRestLeftOut() {
        List<Table> members = List.of(given(i -> i + 5), given(i -> i + 1), given(i -> i - 1));
        ValidatedBlend blended = GreedyBlend.of(labels("RMSE", i -> i), members, keys(members));
        assertThat(blended.blend().weights()).containsExactly(0, 1, 1);
        assertThat(blended.validation().select()).isCloseTo(0, within(1e-12));
    }

    @Test
    void membersOnScalesOfTheirOwnAreBlendedByRank() {
        Random random = new Random(11);
        double[] truth = IntStream.range(0, ROWS).mapToDouble(_ -> random.nextInt(2)).toArray();
        List<Table> members = IntStream.range(0, 4).mapToObj(m -> {
            double[] said = IntStream.range(0, ROWS).mapToDouble(i -> truth[i] + random.nextGaussian()).toArray();
            return given(i -> Math.exp(m * 3 * said[i]) * (m + 1) + said[i]);
        }).toList();
        ValidatedBlend blended = GreedyBlend.of(labels("AUC", i -> truth[i]), members, keys(members));
        assertThat(blended.blend().weights()).filteredOn(weight -> weight > 0).hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @CsvSource({"AUC, RANK_MEAN", "log loss, MEAN", "RMSE, MEAN", "RMSLE, LOG_MEAN", "MAE, MEDIAN", "accuracy, VOTE",
        "F1, VOTE", "macro F1, VOTE",
        "QWK, VOTE"})
    void aBlendFollowsTheMetric(String metric, How how) {
        List<Table> members = List.of(given(i -> i / 2 % 2), given(i -> i / 4 % 2));
        assertThat(GreedyBlend.of(labels(metric, i -> i / 2 % 2), members, keys(members)).blend().how()).isEqualTo(how);
    }

    /// Six scripts of one kind with nearly the same errors, and one of another kind that is a
    /// little worse.
    @Test
    void clonesDoNotOutweighAScriptOfAnotherKind() {
        Random random = new Random(3);
        double[] ofClones = IntStream.range(0, ROWS).mapToDouble(_ -> random.nextGaussian()).toArray();
        List<Table> members = new ArrayList<>(
                IntStream.range(0, 6).mapToObj(_ -> given(i -> i + ofClones[i] + random.nextGaussian() / 20)).toList());
        members.add(given(i -> i + random.nextGaussian() * 1.05));

        List<Integer> weights = weights("RMSE", members);

        assertThat(weights.getLast() / (double) weights.stream().mapToInt(weight -> weight).sum())
                .as("seed 3: %s", weights).isBetween(0.2, 0.5);
    }

    @Test
    void equalPredictionsOfTwoScriptsCountOnce() {
        List<Table> members = List.of(given(i -> i + 1), given(i -> i - 1), given(i -> (int) i + 1), given(i -> i + 1));
        assertThat(weights("RMSE", members)).containsExactly(1, 1, 0, 0);
    }

    @Test
    void ofAMedianEachMemberCountsAlike() {
        Random random = new Random(4);
        List<Table> members =
                Stream.of(0.8, 1.0, 1.0).map(size -> given(i -> i + size * random.nextGaussian())).toList();
        assertThat(weights("MAE", members)).containsExactly(1, 1, 1);
    }

    /// One member is off in three rows, by which the blend is worse by 1.7 errors.
    @Test
    void aBlendIsRefusedOnlyIfItIsSurelyWorse() {
        assertThat(weights("MSE", List.of(given(i -> i), given(i -> i % 2 == 0 && i < 6 ? i + 1 : i))))
                .doesNotContain(0);
    }

    @Test
    void rowsThatWereNotSearchedMayRefuseABlend() {
        List<Table> members =
                List.of(given(i -> i % 2 == 0 ? i + 1 : i), given(i -> i % 2 == 0 ? i - 1.1 : i + 3 + i % 5));
        HiddenLabels labels = labels("RMSE", i -> i);

        ValidatedBlend blended = GreedyBlend.of(labels, members, keys(members));

        assertThat(blended.blend().weights()).as("the errors cancel where the search looks, and nowhere else")
                .containsExactly(1, 0);
        assertThat(blended.validation()).isEqualTo(labels.validate(members.getFirst(), "key0"));
    }

    @Test
    void decimalCommasAreLabelsToo() {
        HiddenLabels labels = HiddenLabels.of(csv("id,y,group,part\n1,1,1,0\n2,0,2,0\n3,1,3,select\n4,0,4,select\n"),
                new TableFormat(';', ',', 1),
                "accuracy", "d1", OptionalInt.of(0));
        Table given =
                Table.of("predictions", csv("id;y\n1;1,0\n2;False\n3;True\n4;0,0\n"), new TableFormat(';', ',', 1));
        assertThat(labels.validate(given, "key").select()).isEqualTo(1);
    }

    /// Each is wrong for a third of the rows, and any two are right for the rest.
    @Test
    void threeVotesHelpThoughTwoAreATie() {
        List<Table> members = IntStream.range(0, 3).mapToObj(m -> given(i -> i / 2 % 3 == m ? 1 : 0)).toList();
        ValidatedBlend blended = GreedyBlend.of(labels("accuracy", i -> 0), members, keys(members));
        assertThat(blended.blend().weights()).containsExactly(1, 1, 1);
        assertThat(blended.validation().search()).isEqualTo(1);
    }

    @Test
    void nothingAndOtherColumnsCannotBeBlended() {
        HiddenLabels labels = labels("MAE", i -> i);
        refusal(() -> GreedyBlend.of(labels, List.of(), List.of())).contains("nothing");
        List<Table> members = List.of(given(i -> i), Table.of("other", csv("id,z\n1,1\n"), 1));
        refusal(() -> GreedyBlend.of(labels, members, keys(members))).contains("different columns");
    }

    @Test
    void tiesHaveTheirMeanRank() {
        assertThat(BlendMembers.ranks(new double[] {3, 1, 3, 2, 9})).containsExactly(0.625, 0, 0.625, 0.25, 1);
    }

    /// Names of the labels, then of the predictions; and the rows, with labels first.
    private record Data(String targets, String given, String rows) {
        String labels(boolean withWeights) {
            int width = targets.split(",").length;
            return table(withWeights ? targets + ",w" : targets, 0, width, withWeights);
        }

        String predictions() {
            int width = targets.split(",").length;
            return table(given, width, rows.split(" ")[0].split(",").length, false);
        }

        private String table(String header, int from, int to, boolean withWeights) {
            String[] each = rows.split(" ");
            return IntStream.range(0, each.length).mapToObj(i -> i + ","
                    + String.join(",", Arrays.copyOfRange(each[i].split(","), from, to))
                    + (withWeights ? "," + WEIGHTS[i] : ""))
                    .collect(Collectors.joining("\n", "id," + header + "\n", "\n"));
        }
    }

    private static Table table(String csv) {
        return Table.of("table", csv.getBytes(StandardCharsets.UTF_8), 1);
    }

    private static double score(String metric, String predictions, String labels) {
        return Grade.of(metric, table(predictions), table(labels)).score();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/metric/scikit-learn.csv", delimiter = '|', numLinesToSkip = 1)
    void eachMetricIsThatOfScikitLearnAndAWeightStandsForAsManyRows(String metric, String kind, double plain,
            double weighted) {
        Data data = DATA.get(kind);
        assertThat(score(metric, data.predictions(), data.labels(false))).isCloseTo(plain, within(1e-12));
        assertThat(score(metric + " weighted by the column `w`", data.predictions(), data.labels(true)))
                .isCloseTo(weighted, within(1e-12));
    }

    /// Rows are matched by their ids. Groups have a score of their own each; a row counts in the
    /// columns of which it has the label. A class that has no weight is none.
    @ParameterizedTest
    @CsvFileSource(resources = "/metric/scores.csv", delimiter = '|', numLinesToSkip = 1)
    void severalTargetsGroupsListsAndClassesInColumns(String metric, String predictions, String labels, double score) {
        assertThat(score(metric, predictions.replace(";", "\n"), labels.replace(";", "\n"))).isCloseTo(score,
                within(1e-12));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/metric/undefined.csv", delimiter = '|', numLinesToSkip = 1, quoteCharacter = '`')
    void whatAMetricIsNotDefinedForIsNamed(String metric, String predictions, String labels, String said) {
        refusal(() -> score(metric, predictions.replace(";", "\n"), labels.replace(";", "\n"))).contains(said);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/metric/names.csv", delimiter = '|', numLinesToSkip = 1, nullValues = "none")
    void namesAreReadAsPeopleWriteThem(String name, String known) {
        Optional<Metric> found = Metric.find(name);
        assertThat(found.map(metric -> metric.title() + ", " + metric.direction().name().toLowerCase(Locale.ROOT))
                .orElse(null)).isEqualTo(known);
        found.ifPresent(
                metric -> assertThat(Metric.find(metric.title()).orElseThrow().title()).isEqualTo(metric.title()));
    }
}

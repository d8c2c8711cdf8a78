package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.SubmissionComparison;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredictionDistanceTest {
    private static final int ROWS = 2000;
    private final Random random = new Random(7);
    private final double[] scored = random.doubles(ROWS).map(value -> 3 + value).toArray();

    /// The rows that are asked for are the first ones of those that were scored.
    private static Table rows(int rows, IntToDoubleFunction predicted) {
        String csv = IntStream.range(0, rows).mapToObj(row -> row + "," + predicted.applyAsDouble(row))
                .collect(Collectors.joining("\n", "id,y\n", "\n"));
        return Table.of("rows", csv.getBytes(StandardCharsets.UTF_8), 1);
    }

    private double distance(String metric, IntToDoubleFunction then, IntToDoubleFunction now) {
        return PredictionDistance.of(rows(ROWS, then), rows(ROWS - 100, now), Metric.named(metric).blend(1));
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
    void orderAloneCountsWhereTheMetricSeesNoMore() {
        assertThat(distance("AUC", row -> scored[row], row -> scored[row] / 1000)).isZero();
        assertThat(distance("RMSE", row -> scored[row], row -> scored[row] / 1000))
                .isGreaterThan(SubmissionComparison.MOST);
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

    @Test
    void aConstantThatHasChangedIsFar() {
        assertThat(distance("RMSE", row -> 4, row -> 4)).isZero();
        assertThat(new SubmissionComparison(distance("RMSE", row -> 4, row -> 5), null, null).differs()).isPresent();
    }

    /// Rows that were hidden, in ROWS draws of one kind, and those of the test.
    private double apart(String metric, IntToDoubleFunction hidden, IntToDoubleFunction asked) {
        return PredictionDistance.apart(rows(ROWS, hidden), rows(300, asked), Metric.named(metric).blend(1));
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
        assertThatThrownBy(() -> PredictionDistance.of(rows(3, row -> row), other, How.MEAN))
                .isInstanceOf(Invalid.class).hasMessageContaining("columns");
        assertThatThrownBy(() -> PredictionDistance.of(rows(3, row -> row), elsewhere, How.MEAN))
                .isInstanceOf(Invalid.class).hasMessageContaining("no row");
    }
}

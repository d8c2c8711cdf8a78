package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// What is special about single metrics; the figures of all are those of [NamedMetricsTest]. What
/// is expected was computed by scikit-learn 1.2.1; the call stands above each line.
class MetricsTest {
    private static final Offset<Double> EXACT = within(1e-12);
    private static final double[] LABELS = {0, 1, 0, 1, 1, 0, 1, 0};
    private static final double[] TIED = {.1, .4, .4, .8, .4, .9, .7, .2};
    private static final double[] WEIGHTS = {1, 2, .5, 0, 1, 3, 1, 0};

    private static double[] ones(int length) {
        double[] ones = new double[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static double[] a(double... values) {
        return values;
    }

    private static double[][] both(double... positive) {
        return Arrays.stream(positive).mapToObj(p -> a(1 - p, p)).toArray(double[][]::new);
    }

    @Test
    void rocAuc() {
        // roc_auc_score(y, s, sample_weight=w)
        assertThat(Metrics.rocAuc(LABELS, TIED).score(WEIGHTS)).isCloseTo(0.2916666666666667, EXACT);
        assertThat(Metrics.rocAuc(LABELS, a(5, 5, 5, 5, 5, 5, 5, 5)).score(ones(8))).isEqualTo(0.5);
        assertThatThrownBy(() -> Metrics.rocAuc(a(1, 1), a(.1, .2)).score(ones(2))).hasMessageContaining("one class");
        assertThatThrownBy(() -> Metrics.rocAuc(a(0, 1), a(.1, .2)).score(a(0, 1))).hasMessageContaining("one class");
        assertThatThrownBy(() -> Metrics.rocAuc(a(0, 2), a(.1, .2)).score(ones(2))).hasMessageContaining("0 and 1");
        assertThatThrownBy(() -> Metrics.rocAuc(a(0, 1), a(Double.NaN, .2)).score(ones(2)))
                .isInstanceOf(Invalid.class);
    }

    @Test
    void logLoss() {
        // log_loss([0, 1, 1], [0, 1, 0])
        assertThat(Metrics.logLoss(new int[] {0, 1, 1}, both(0, 1, 0)).score(ones(3))).isCloseTo(12.014551129705717,
                EXACT);
        // log_loss([0, 2, 1, 1], p, sample_weight=[1, 0, 2, 1]); one row sums to 0.9
        double[][] p = {{.7, .2, .1}, {.1, .1, .8}, {.3, .3, .3}, {0, 1, 0}};
        assertThat(Metrics.logLoss(new int[] {0, 2, 1, 1}, p).score(a(1, 0, 2, 1))).isCloseTo(0.638474880318738, EXACT);
        assertThatThrownBy(() -> Metrics.logLoss(new int[] {0}, both(1.2)).score(ones(1)))
                .hasMessageContaining("between 0 and 1");
        assertThatThrownBy(() -> Metrics.logLoss(new int[] {0}, both(Double.NaN)).score(ones(1)))
                .isInstanceOf(Invalid.class);
    }

    @Test
    void errorsOfNumbers() {
        assertThatThrownBy(() -> Metrics.rmsle(a(-.5, 1), a(0, 1)).score(ones(2))).hasMessageContaining("negative");
        assertThatThrownBy(() -> Metrics.mae(a(1), a(Double.NaN)).score(ones(1))).hasMessageContaining("finite");
        assertThatThrownBy(() -> Metrics.rmse(a(1), a(1)).score(a(0))).hasMessageContaining("all weights are 0");
        assertThatThrownBy(() -> Metrics.rmse(a(), a()).score(a())).hasMessageContaining("no rows");
    }

    private static double f1(List<String> classes, ClassMetrics.Average average, String truth, String predicted,
            double[] weights) {
        ClassMetrics.Counting counting = ClassMetrics.ofClasses(classes, truth.split(""), predicted.split(""));
        return ClassMetrics.fBeta(1, average).applyAsDouble(counting.count(weights));
    }

    @Test
    void classes() {
        assertThat(f1(List.of(), ClassMetrics.Average.MACRO, "aabbcca", "abbbcad", a(1, 2, 1, 0, 1, .5, 0)))
                .as("scikit-learn counts d as 0, whose row weighs nothing: 0.4361111111111111")
                .isCloseTo(0.4361111111111111 * 4 / 3, EXACT);
        assertThat(f1(List.of(), ClassMetrics.Average.MACRO, "aab", "aab", a(1, 1, 0)))
                .as("a class that no row is of").isEqualTo(1);
        // f1_score([0,0], [0,0]); f1_score([1,1], [0,0])
        assertThat(f1(List.of("1"), ClassMetrics.Average.BINARY, "00", "00", ones(2))).isZero();
        assertThat(f1(List.of("1"), ClassMetrics.Average.BINARY, "11", "00", ones(2))).isZero();
    }

    @Test
    void quadraticWeightedKappa() {
        // cohen_kappa_score([1, 1, 2], [2, 2, 1], ...); cohen_kappa_score([1, 5, 1], [1, 1, 5],
        // labels=[1, 2, 3, 4, 5], ...)
        assertThat(Metrics.quadraticWeightedKappa(a(1, 1, 2), a(2, 2, 1)).score(ones(3))).isCloseTo(-0.8, EXACT);
        assertThat(Metrics.quadraticWeightedKappa(a(1, 5, 1), a(1, 1, 5)).score(ones(3))).isCloseTo(-0.5, EXACT);
        assertThatThrownBy(() -> Metrics.quadraticWeightedKappa(a(2, 2), a(2, 2)).score(ones(2)))
                .hasMessageContaining("one value");
        assertThatThrownBy(() -> Metrics.quadraticWeightedKappa(a(1, 2), a(1.5, 2)).score(ones(2)))
                .hasMessageContaining("whole");
    }
}

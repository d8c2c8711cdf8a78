package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// What is expected was computed by scikit-learn 1.2.1; the call stands above each line.
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

    private static String[] letters(String text) {
        return text.split("");
    }

    private static int[] indices(double[] labels) {
        return Arrays.stream(labels).mapToInt(label -> (int) label).toArray();
    }

    private static double[][] both(double... positive) {
        return Arrays.stream(positive).mapToObj(p -> a(1 - p, p)).toArray(double[][]::new);
    }

    @Test
    void rocAuc() {
        // roc_auc_score(y, s); roc_auc_score(y, s, sample_weight=w)
        assertThat(Metrics.rocAuc(LABELS, TIED).score(ones(8))).isCloseTo(0.6875, EXACT);
        assertThat(Metrics.rocAuc(LABELS, TIED).score(WEIGHTS)).isCloseTo(0.2916666666666667, EXACT);
        assertThat(Metrics.rocAuc(LABELS, a(5, 5, 5, 5, 5, 5, 5, 5)).score(ones(8))).isEqualTo(0.5);
        assertThatThrownBy(() -> Metrics.rocAuc(a(1, 1), a(.1, .2)).score(ones(2))).isInstanceOf(Invalid.class)
                .hasMessageContaining("one class");
        assertThatThrownBy(() -> Metrics.rocAuc(a(0, 1), a(.1, .2)).score(a(0, 1))).isInstanceOf(Invalid.class)
                .hasMessageContaining("one class");
        assertThatThrownBy(() -> Metrics.rocAuc(a(0, 2), a(.1, .2)).score(ones(2))).isInstanceOf(Invalid.class)
                .hasMessageContaining("0 and 1");
        assertThatThrownBy(() -> Metrics.rocAuc(a(0, 1), a(Double.NaN, .2)).score(ones(2))).isInstanceOf(Invalid.class);
    }

    @Test
    void logLoss() {
        // log_loss(y, s); log_loss(y, s, sample_weight=w); log_loss([0, 1, 1], [0, 1, 0])
        assertThat(Metrics.logLoss(indices(LABELS), both(TIED)).score(ones(8))).isCloseTo(0.6942893428416657, EXACT);
        assertThat(Metrics.logLoss(indices(LABELS), both(TIED)).score(WEIGHTS)).isCloseTo(1.2204794995393125, EXACT);
        assertThat(Metrics.logLoss(new int[] {0, 1, 1}, both(0, 1, 0)).score(ones(3))).isCloseTo(12.014551129705717,
                EXACT);
        // log_loss([0, 2, 1, 1], p); log_loss([0, 2, 1, 1], p, sample_weight=[1, 0, 2, 1]); one row
        // sums to 0.9
        double[][] p = {{.7, .2, .1}, {.1, .1, .8}, {.3, .3, .3}, {0, 1, 0}};
        assertThat(Metrics.logLoss(new int[] {0, 2, 1, 1}, p).score(ones(4))).isCloseTo(0.419607695980263, EXACT);
        assertThat(Metrics.logLoss(new int[] {0, 2, 1, 1}, p).score(a(1, 0, 2, 1))).isCloseTo(0.638474880318738, EXACT);
        assertThatThrownBy(() -> Metrics.logLoss(new int[] {0}, both(1.2)).score(ones(1))).isInstanceOf(Invalid.class)
                .hasMessageContaining("between 0 and 1");
        assertThatThrownBy(() -> Metrics.logLoss(new int[] {0}, both(Double.NaN)).score(ones(1)))
                .isInstanceOf(Invalid.class);
    }

    @Test
    void errorsOfNumbers() {
        double[] truth = {3, -.5, 2, 7, 0};
        double[] predicted = {2.5, 0, 2, 8, 1};
        double[] weights = {1, 0, 2, .5, 1};
        // mean_squared_error(t, q, squared=False), with and without sample_weight=v;
        // mean_absolute_error likewise
        assertThat(Metrics.rmse(truth, predicted).score(ones(5))).isCloseTo(0.7071067811865476, EXACT);
        assertThat(Metrics.rmse(truth, predicted).score(weights)).isCloseTo(0.6236095644623235, EXACT);
        assertThat(Metrics.mae(truth, predicted).score(ones(5))).isCloseTo(0.6, EXACT);
        assertThat(Metrics.mae(truth, predicted).score(weights)).isCloseTo(0.4444444444444444, EXACT);
        // mean_squared_log_error([3, 5, 2.5, 7, 0], [2.5, 5, 4, 8, 1], squared=False), with and
        // without sample_weight=v
        assertThat(Metrics.rmsle(a(3, 5, 2.5, 7, 0), a(2.5, 5, 4, 8, 1)).score(ones(5))).isCloseTo(0.3575957230886791,
                EXACT);
        assertThat(Metrics.rmsle(a(3, 5, 2.5, 7, 0), a(2.5, 5, 4, 8, 1)).score(weights)).isCloseTo(0.410867402169837,
                EXACT);
        assertThatThrownBy(() -> Metrics.rmsle(truth, predicted).score(ones(5))).isInstanceOf(Invalid.class)
                .hasMessageContaining("negative");
        assertThatThrownBy(() -> Metrics.mae(a(1), a(Double.NaN)).score(ones(1))).isInstanceOf(Invalid.class)
                .hasMessageContaining("finite");
        assertThatThrownBy(() -> Metrics.rmse(a(1), a(1)).score(a(0))).isInstanceOf(Invalid.class)
                .hasMessageContaining("all weights are 0");
        assertThatThrownBy(() -> Metrics.rmse(a(), a()).score(a())).isInstanceOf(Invalid.class)
                .hasMessageContaining("no rows");
    }

    private static Metrics.Weighted macroF1(String[] truth, String[] predicted) {
        ClassMetrics.Counting counting = ClassMetrics.ofClasses(List.of(), truth, predicted);
        return weights -> ClassMetrics.fBeta(1, ClassMetrics.Average.MACRO).applyAsDouble(counting.count(weights));
    }

    private static Metrics.Weighted f1(String[] truth, String[] predicted) {
        ClassMetrics.Counting counting = ClassMetrics.ofClasses(List.of("1"), truth, predicted);
        return weights -> ClassMetrics.fBeta(1, ClassMetrics.Average.BINARY).applyAsDouble(counting.count(weights));
    }

    @Test
    void classes() {
        double[] weights = {1, 2, 1, 0, 1, .5, 0};
        // f1_score(list("aabbcca"), list("abbbcad"), average="macro"), with and without
        // sample_weight=u
        assertThat(macroF1(letters("aabbcca"), letters("abbbcad")).score(ones(7))).isCloseTo(0.4666666666666667, EXACT);
        assertThat(macroF1(letters("aabbcca"), letters("abbbcad")).score(weights))
                .as("scikit-learn counts d as 0, whose row weighs nothing: 0.4361111111111111")
                .isCloseTo(0.4361111111111111 * 4 / 3, EXACT);
        assertThat(macroF1(letters("aab"), letters("aab")).score(new double[] {1, 1, 0}))
                .as("a class that no row is of").isEqualTo(1);
        // f1_score([0,1,1,0,1,1], [1,1,0,0,1,0]), sample_weight=[1,1,2,5,0,1]; f1_score([0,0],
        // [0,0]); f1_score([1,1], [0,0])
        assertThat(f1(letters("011011"), letters("110010")).score(ones(6))).isCloseTo(0.5714285714285715, EXACT);
        assertThat(f1(letters("011011"), letters("110010")).score(a(1, 1, 2, 5, 0, 1))).isCloseTo(0.3333333333333333,
                EXACT);
        assertThat(f1(letters("00"), letters("00")).score(ones(2))).isZero();
        assertThat(f1(letters("11"), letters("00")).score(ones(2))).isZero();
    }

    @Test
    void quadraticWeightedKappa() {
        double[] truth = {1, 2, 3, 4, 4, 2, 1, 3};
        double[] predicted = {1, 3, 3, 4, 2, 2, 2, 4};
        // cohen_kappa_score(r, k, weights="quadratic"), with and without sample_weight=z
        assertThat(Metrics.quadraticWeightedKappa(truth, predicted).score(ones(8))).isCloseTo(0.6111111111111112,
                EXACT);
        assertThat(Metrics.quadraticWeightedKappa(truth, predicted).score(a(1, 1, 0, 2, 1, 1, .5, 1)))
                .isCloseTo(0.6700507614213198, EXACT);
        // cohen_kappa_score([1, 1, 2], [2, 2, 1], ...); cohen_kappa_score([1, 5, 1], [1, 1, 5],
        // labels=[1, 2, 3, 4, 5], ...)
        assertThat(Metrics.quadraticWeightedKappa(a(1, 1, 2), a(2, 2, 1)).score(ones(3))).isCloseTo(-0.8, EXACT);
        assertThat(Metrics.quadraticWeightedKappa(a(1, 5, 1), a(1, 1, 5)).score(ones(3))).isCloseTo(-0.5, EXACT);
        assertThatThrownBy(() -> Metrics.quadraticWeightedKappa(a(2, 2), a(2, 2)).score(ones(2)))
                .isInstanceOf(Invalid.class).hasMessageContaining("one value");
        assertThatThrownBy(() -> Metrics.quadraticWeightedKappa(a(1, 2), a(1.5, 2)).score(ones(2)))
                .isInstanceOf(Invalid.class).hasMessageContaining("whole");
    }
}

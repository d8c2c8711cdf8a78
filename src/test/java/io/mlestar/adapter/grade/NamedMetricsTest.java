package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.base.Invalid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Metrics by their names, against figures that scikit-learn 1.9.1 and SciPy computed: on twelve
/// rows, and on the same with each row repeated as often as its weight says.
class NamedMetricsTest {
    private static final int[] WEIGHTS = {1, 2, 1, 3, 1, 2, 1, 1, 2, 1, 1, 2};

    private static final Map<String, Data> DATA = Map.of(
            "numbers", new Data("y", "y",
                    "3,2.5 5,5 2.5,4 7,8 4,4.5 1,1.5 8,7 6,6.5 2,3 9,7.5 3.5,3.5 5.5,5"),
            "scores", new Data("y", "y",
                    "0,0.1 1,0.4 0,0.4 1,0.8 1,0.4 0,0.9 1,0.7 0,0.2 0,0.3 1,0.6 1,0.2 0,0.5"),
            "labels", new Data("y", "y",
                    "0,0 1,1 0,0 1,1 1,0 0,1 1,1 0,0 0,0 1,1 1,0 0,0"),
            "classes", new Data("y", "y",
                    "1,1 2,2 3,3 1,2 2,2 3,1 1,1 2,3 3,2 1,1 2,1 2,1"),
            "columns", new Data("y", "p_1,p_2,p_3",
                    "1,0.7,0.2,0.1 2,0.1,0.6,0.3 3,0.2,0.2,0.6 1,0.3,0.5,0.2 2,0.2,0.5,0.3 3,0.5,0.4,0.1 1,0.8,0.1,0.1 "
                            + "2,0.2,0.3,0.5 3,0.1,0.2,0.7 1,0.6,0.3,0.1 2,0.4,0.35,0.25 2,0.25,0.5,0.25"),
            "multi", new Data("a,b,c", "a,b,c",
                    "0,1,1,0,1,1 1,0,0,1,0,0 0,1,0,0,1,0 1,0,1,1,0,0 1,1,0,0,0,0 0,0,0,1,1,1 1,0,1,1,0,1 0,1,0,0,1,0 "
                            + "0,1,0,0,1,0 1,0,1,1,0,1 1,1,0,0,0,1 0,1,0,0,1,1"),
            "chances", new Data("a,b,c", "a,b,c",
                    "0,1,1,0.1,0.5,0.7 1,0,0,0.4,0.8,0.1 0,1,0,0.4,0.4,0.2 1,0,1,0.8,0.7,0.3 1,1,0,0.4,0.8,0.2 "
                            + "0,0,0,0.9,0.3,0.5 1,0,1,0.7,0.1,0.8 0,1,0,0.2,0.6,0.2 0,1,0,0.3,0.2,0.1 1,0,1,0.6,0.6,0.6 "
                            + "1,1,0,0.2,0.6,0.4 0,1,0,0.5,0.9,0.25"),
            "two", new Data("a,b", "a,b",
                    "3,2.5,2.5,5.5 5,5,5,3.5 2.5,4,4,9 7,8,8,2 4,4.5,4.5,6 1,1.5,1.5,8 8,7,7,1 6,6.5,6.5,4 2,3,3,7 "
                            + "9,7.5,7.5,2.5 3.5,3.5,3.5,5 5.5,5,5,3"));

    private static final Offset<Double> EXACT = within(1e-12);

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
    @CsvSource(delimiter = '|', textBlock = """
            MSE                          | numbers | 0.729166666666667 | 0.680555555555556
            RMSE                         | numbers | 0.853912563829966 | 0.824957911384305
            RMSLE                        | numbers | 0.171272355941553 | 0.169757536283221
            MAE                          | numbers | 0.708333333333333 | 0.694444444444444
            MedAE                        | numbers | 0.5 | 0.5
            MAPE                         | numbers | 0.208369408369408 | 0.215392015392015
            SMAPE                        | numbers | 18.206055382526 | 18.5923967100438
            RMSPE                        | numbers | 0.28612681134933 | 0.291690800469698
            R2                           | numbers | 0.870808981851738 | 0.8775
            Pearson correlation          | numbers | 0.940662809836524 | 0.943588828615788
            Spearman rank correlation    | numbers | 0.942208099915076 | 0.947761674824686
            pinball loss 0.9             | numbers | 0.304166666666667 | 0.247222222222222
            ROC-AUC                      | scores  | 0.652777777777778 | 0.617283950617284
            Gini                         | scores  | 0.305555555555556 | 0.234567901234568
            average precision            | scores  | 0.618686868686869 | 0.617390887979123
            Brier score                  | scores  | 0.250833333333333 | 0.255555555555556
            log loss                     | scores  | 0.727033366952675 | 0.746632525301522
            F1                           | labels  | 0.727272727272727 | 0.777777777777778
            F2                           | labels  | 0.689655172413793 | 0.777777777777778
            F-beta (beta = 0.5)          | labels  | 0.769230769230769 | 0.777777777777778
            Jaccard                      | labels  | 0.571428571428571 | 0.636363636363636
            accuracy                     | classes | 0.5 | 0.388888888888889
            balanced accuracy            | classes | 0.494444444444444 | 0.376190476190476
            MCC                          | classes | 0.241889723423448 | 0.0592002778472894
            hamming loss                 | classes | 0.5 | 0.611111111111111
            Cohen's kappa                | classes | 0.234042553191489 | 0.0571428571428573
            linear weighted kappa        | classes | 0.3 | 0.106870229007634
            quadratic weighted kappa     | classes | 0.372093023255814 | 0.163934426229508
            micro F1                     | classes | 0.5 | 0.388888888888889
            macro F1                     | classes | 0.481481481481481 | 0.371428571428571
            weighted F1                  | classes | 0.485185185185185 | 0.377777777777778
            macro F0.5                   | classes | 0.488816738816739 | 0.387989203778677
            macro Jaccard                | classes | 0.321428571428571 | 0.22979797979798
            log loss                     | columns | 0.801301458146178 | 0.882599774870262
            Brier                        | columns | 0.44 | 0.490833333333333
            top-2 accuracy               | columns | 0.916666666666667 | 0.888888888888889
            ROC-AUC                      | columns | 0.834193121693122 | 0.77544955044955
            NDCG@2                       | columns | 0.824399105059531 | 0.786369375992071
            mean average precision @ 3   | columns | 0.819444444444444 | 0.787037037037037
            micro F1                     | multi   | 0.705882352941177 | 0.68
            macro F1                     | multi   | 0.698834498834499 | 0.661375661375661
            weighted F1                  | multi   | 0.714603044014809 | 0.69047619047619
            hamming loss                 | multi   | 0.277777777777778 | 0.296296296296296
            macro Jaccard                | multi   | 0.541666666666667 | 0.515151515151515
            mean column-wise ROC-AUC     | chances | 0.715806878306878 | 0.666152263374486
            mean column-wise log loss    | chances | 0.615321998233776 | 0.676943143972354
            log loss                     | chances | 0.615321998233776 | 0.676943143972354
            average precision            | chances | 0.737382326668041 | 0.691218295139864
            MCRMSE                       | two     | 2.49984677588711 | 2.59431686595649
            mean column-wise RMSLE       | two     | 0.479692541780517 | 0.497118002855959
            """)
    void eachMetricIsThatOfScikitLearnAndAWeightStandsForAsManyRows(String metric, String kind, double plain,
            double weighted) {
        Data data = DATA.get(kind);
        assertThat(score(metric, data.predictions(), data.labels(false))).isCloseTo(plain, within(1e-12));
        assertThat(score(metric + " weighted by the column `w`", data.predictions(), data.labels(true)))
                .isCloseTo(weighted, within(1e-12));
    }

    /// Groups have a score of their own each; a row counts in the columns of which it has the
    /// label.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mean RMSE by g         | id,y;1,1;2,2;3,7      | id,y,g;1,1,a;2,4,a;3,4,b           | 2.207106781186547
            mean of the AUC per g  | id,y;1,1;2,2;3,7;4,3  | id,y,g;1,0,a;2,1,a;3,0,b;4,1,b     | 0.5
            mean AUC by g          | id,y;1,1;2,2;3,7      | id,y,g;1,0,a;2,1,a;3,0,b           | 1
            RMSE                   | id,a,b;1,1,5;2,2,9    | id,a,b;1,3,;2,,8                   | 1.5
            MAE                    | id,a,b;1,1,5;2,2,9    | id,a,b;1,3,;2,nan,8                | 1.5
            macro F1               | id,a,b;1,1,1;2,0,1    | id,a,b;1,1,;2,1,1                  | 0.8333333333333333
            MAP@3                  | id,y;1,a b c;2,c a b  | id,y;1,b;2,a b                     | 0.5416666666666666
            MAP@2                  | id,y;1,a a b;2,c a b  | id,y;1,b;2,a b                     | 0.125
            NDCG@3                 | id,y;1,a b c;2,c a b  | id,y;1,b;2,a b                     | 0.6621780785943641
            top-2 accuracy         | id,y;1,a b c;2,c a b  | id,y;1,c;2,a                       | 0.5
            log loss               | id,a,b,c;1,.3,.3,.4   | id,a,b,c;1,0,0,1                   | 0.916290731874155
            log loss               | id,S_C,S_CL,S_D;1,.6,.1,.3 | id,S;1,CL                     | 2.302585092994046
            log loss               | id,is_10,is_11,is_1;1,.6,.1,.3 | id,y;1,1.0                | 1.203972804325936
            accuracy               | id,a,b;1,x,5;2,y,9    | id,a,b;1,x,5;2,x,9                 | 0.75
            RMSPE                  | id,y;1,3;2,7          | id,y;1,2;2,0                       | 0.5
            Pearson                | id,y;1,3;2,3          | id,y;1,2;2,0                       | 0
            """)
    void severalTargetsGroupsListsAndClassesInColumns(String metric, String predictions, String labels, double score) {
        assertThat(score(metric, predictions.replace(";", "\n"), labels.replace(";", "\n"))).isCloseTo(score,
                within(1e-12));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            log loss             | id,a,b;1,.3,.7   | id,a,b;1,0.4,0.6    | log loss needs labels 0 and 1
            RMSE weighted by v   | id,y;1,3         | id,y;1,4            | has no column v of weights
            mean RMSE by shop    | id,y;1,3         | id,y;1,4            | has no column shop of groups
            MAE weighted by w    | id,y;1,3         | id,y,w;1,4,-1       | must be 0 or more
            average precision    | id,y;1,3         | id,y;1,0            | no label is 1
            """)
    void labelsThatAMetricIsNotDefinedForAreNamed(String metric, String predictions, String labels, String said) {
        assertThatThrownBy(() -> score(metric, predictions.replace(";", "\n"), labels.replace(";", "\n")))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining(said);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            Mean Absolute Percentage Error         | MAPE, minimize
            symmetric mean absolute percentage error | SMAPE, minimize
            Matthews Correlation Coefficient (MCC) | MCC, maximize
            f1_macro                               | macro F1, maximize
            weighted F1-score                      | weighted F1, maximize
            F-beta score with beta 0.5             | F0.5, maximize
            fbeta 0.5                              | F0.5, maximize
            micro-averaged F2                      | micro F2, maximize
            Root Mean Square Percentage Error      | RMSPE, minimize
            R^2                                    | R2, maximize
            R² score                               | R2, maximize
            Brier score                            | Brier, minimize
            MAP@12                                 | MAP@12, maximize
            Mean Average Precision @ 12 (MAP@12)   | MAP@12, maximize
            NDCG@5                                 | NDCG@5, maximize
            top-5 accuracy                         | top-5 accuracy, maximize
            pinball loss at quantile 0.9           | pinball loss 0.9, minimize
            quantile loss (alpha = .25)            | pinball loss 0.25, minimize
            MCRMSE                                 | mean column-wise RMSE, minimize
            Mean columnwise root mean squared error | mean column-wise RMSE, minimize
            mean column-wise ROC AUC               | mean column-wise ROC-AUC, maximize
            RMSE, weighted by the column `w`       | RMSE weighted by w, minimize
            mean MAE per shop_id                   | mean MAE by shop_id, minimize
            the average of the AUC at each hospital | mean ROC-AUC by hospital, maximize
            Cohen's Kappa                          | Cohen's kappa, maximize
            quadratically weighted kappa           | quadratic weighted kappa, maximize
            partial AUC                            | none
            balanced log loss                      | none
            weighted log loss                      | none
            MAP@K                                  | none
            F0                                     | none
            0.5 * accuracy + 0.5 * F1              | none
            accuracy and F1                        | none
            not RMSE                               | none
            """)
    void namesAreReadAsPeopleWriteThem(String name, String known) {
        Optional<Metric> found = Metric.find(name);
        assertThat(found.map(metric -> metric.title() + ", " + metric.direction().name().toLowerCase(Locale.ROOT))
                .orElse(null)).isEqualTo(known);
        found.ifPresent(
                metric -> assertThat(Metric.find(metric.title()).orElseThrow().title()).isEqualTo(metric.title()));
    }

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
        double[] labels = {0, 1, 0, 1, 1, 0, 1, 0};
        // roc_auc_score(y, s, sample_weight=w)
        assertThat(Metrics.rocAuc(labels, a(.1, .4, .4, .8, .4, .9, .7, .2)).score(a(1, 2, .5, 0, 1, 3, 1, 0)))
                .isCloseTo(0.2916666666666667, EXACT);
        assertThat(Metrics.rocAuc(labels, a(5, 5, 5, 5, 5, 5, 5, 5)).score(ones(8))).isEqualTo(0.5);
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

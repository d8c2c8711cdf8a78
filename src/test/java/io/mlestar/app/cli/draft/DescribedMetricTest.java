package io.mlestar.app.cli.draft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescribedMetricTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Submissions are evaluated on the area under the ROC curve.              | ROC-AUC
            The metric is AUC, averaged over the columns.                           | ROC-AUC
            Evaluation is by the multi-class logarithmic loss.                      | log loss
            Submissions are scored with the quadratic weighted kappa.               | quadratic weighted kappa
            The metric is the root mean squared logarithmic error.                  | RMSLE
            Entries are scored by the mean column-wise root mean squared error.     | mean column-wise RMSE
            Scored by macro-averaged F1.                                            | macro F1
            Evaluated by micro F1, not by accuracy.                                 | micro F1
            Submissions are scored by mean average precision (MAP@5).               | mean average precision
            The metric: MAP@5.                                                      | MAP@5
            Scored by the RMSE between the logarithms of prediction and price.      | RMSLE
            The metric is the area under the [receiver operating characteristic](x).| ROC-AUC
            Evaluated by the Levenshtein distance.                                  | Levenshtein distance
            """)
    void theUsualNamesOfMetricsAreKnown(String text, String name) {
        assertThat(DescribedMetric.in("Say what it is.\n\n" + text)).hasValueSatisfying(found -> {
            assertThat(found.name()).isEqualTo(name);
            assertThat(found.sentence()).isEqualTo(text);
            assertThat(DescribedMetric.direction(name)).as("what the name alone says").hasValue(found.direction());
        });
    }

    /// Else the whole search is led by another score, which looks exact.
    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    The score is the mean absolute error, but weighted: a week with a holiday counts five times (WMAE).  | mean absolute error, but weighted, MINIMIZE
                    Evaluated by the partial area under the ROC curve, where the true positive rate is over 0.8. | partial area under the ROC curve, MAXIMIZE
                    The metric is AUC where the true positive rate is above 80 percent.                | AUC where the true positive rate is above 80 percent, MAXIMIZE
                    The metric is the RMSE, taken between log(prediction) and log(price).              | RMSLE, MINIMIZE
                    Scored by a balanced log loss, in which both classes weigh the same.               | balanced log loss, MINIMIZE
                    Scored by a weighted log loss; rare classes have the weight 2.                     | weighted log loss, MINIMIZE
                    Scored by the RMSE, weighted by the column `w`.                                    | RMSE weighted by w, MINIMIZE
                    The metric: RMSE is computed per store and averaged over stores.                   | mean RMSE by store, MINIMIZE
                    The score is the average of the AUC at each hospital.                              | mean ROC-AUC by hospital, MAXIMIZE
                    The metric is top-5 accuracy.                                                      | top-5 accuracy, MAXIMIZE
                    The score is 0.5 * accuracy + 0.5 * F1.                                            | 0.5 * accuracy + 0.5 * F1, MAXIMIZE
                    The score is RMSE + MAE.                                                           | RMSE + MAE, MINIMIZE
                    Scored by the sum of the log loss and the Brier score.                             | sum of the log loss and the Brier score, MINIMIZE
                    For scoring, accuracy is not used. The score is the Matthews correlation coefficient (MCC). | MCC, MAXIMIZE
                    For scoring we do not use RMSE: the score is the mean absolute percentage error (MAPE). | MAPE, MINIMIZE
                    Unlike last year's accuracy, the metric is balanced accuracy.                      | balanced accuracy, MAXIMIZE
                    The metric is MAE rather than RMSE.                                                | MAE, MINIMIZE
                    The metric is the weighted F1.                                                     | weighted F1, MAXIMIZE
                    Scored by the areas under the ROC curves of all columns.                           | ROC-AUC, MAXIMIZE
                    """)
    void aNameThatItsSentenceQualifiesMixesOrDeniesIsNotTheMetric(String text, String name) {
        assertThat(DescribedMetric.in(text)).hasValueSatisfying(found -> {
            assertThat(found.name() + ", " + found.direction()).isEqualTo(name);
            assertThat(DescribedMetric.direction(found.name())).hasValue(found.direction());
        });
    }

    @Test
    void sentencesBelowAHeadingAboutEvaluationCountMoreThanOthers() {
        String text =
                "# Birds\n\nLast year's metric was accuracy.\n\n## Evaluation\n\nFor each row give a probability.\nWe use the log loss.\n\n## Prizes\n\nRMSE.";
        assertThat(DescribedMetric.in(text))
                .hasValueSatisfying(found -> assertThat(found.name()).isEqualTo("log loss"));
    }

    @Test
    void aSentenceThatIsNotAboutScoresNamesNoMetric() {
        assertThat(DescribedMetric.in("The sensor's accuracy is one metre. Predict the time of arrival.")).isEmpty();
        assertThat(DescribedMetric.in("")).isEmpty();
        assertThat(DescribedMetric.in("Evaluation by " + "a.".repeat(200_000))).isEmpty();
    }
}

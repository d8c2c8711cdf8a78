package io.mlestar.app.draft;

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
            Entries are scored by the mean column-wise root mean squared error.     | mean column-wise root mean squared error
            Scored by macro-averaged F1.                                            | macro F1
            Evaluated by micro F1, not by accuracy.                                 | micro F1
            Submissions are scored by mean average precision (MAP@5).               | mean average precision
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

    @Test
    void whatStandsBelowAHeadingAboutEvaluationCountsMoreThanWhatIsSaidElsewhere() {
        String text =
                "# Birds\n\nLast year's metric was accuracy.\n\n## Evaluation\n\nFor each row give a probability.\nWe use the log loss.\n\n## Prizes\n\nRMSE.";
        assertThat(DescribedMetric.in(text)).hasValueSatisfying(found -> assertThat(found.name()).isEqualTo("log loss"));
    }

    @Test
    void aSentenceThatIsNotAboutScoresNamesNoMetric() {
        assertThat(DescribedMetric.in("The sensor's accuracy is one metre. Predict the time of arrival.")).isEmpty();
        assertThat(DescribedMetric.in("")).isEmpty();
        assertThat(DescribedMetric.in("Evaluation by " + "a.".repeat(200_000))).isEmpty();
    }
}

package io.mlestar.app.cli.draft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class DescribedMetricTest {
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/described-metrics.csv", numLinesToSkip = 1, delimiter = '|',
            quoteCharacter = '\'')
    void theUsualNamesOfMetricsAreKnown(String text, String name) {
        assertThat(DescribedMetric.in("Say what it is.\n\n" + text)).hasValueSatisfying(found -> {
            assertThat(found.name()).isEqualTo(name);
            assertThat(found.sentence()).isEqualTo(text);
            assertThat(DescribedMetric.direction(name)).as("what the name alone says").hasValue(found.direction());
        });
    }

    /// Else the whole search is led by another score, which looks exact.
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/other-described-metrics.csv", numLinesToSkip = 1, delimiter = '|',
            quoteCharacter = '\'')
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

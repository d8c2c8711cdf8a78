package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MetricDirectionTest {
    @ParameterizedTest
    @CsvSource({
        "MAXIMIZE, 0.9, 0.8, true, true", "MAXIMIZE, 0.8, 0.8, false, true", "MAXIMIZE, 0.7, 0.8, false, false",
        "MINIMIZE, 0.9, 0.8, false, false", "MINIMIZE, 0.8, 0.8, false, true", "MINIMIZE, 0.7, 0.8, true, true",
        "MAXIMIZE, -1, -2, true, true", "MINIMIZE, -2, -1, true, true", "MAXIMIZE, 0.0, -0.0, false, true",
        "MINIMIZE, 1e308, -1e308, false, false", "MAXIMIZE, 0.8000000000000002, 0.8, true, true",
        "MAXIMIZE, 1234567.5, 1234567.5, false, true"})
    @Requirement({"REQ-DM-028", "REQ-DM-029"})
    void comparesStrictlyOrWithTies(MetricDirection direction, double newer, double older, boolean better,
            boolean betterOrEqual) {
        assertThat(direction.isImprovement(newer, older)).isEqualTo(better);
        assertThat(direction.isImprovementOrEqual(newer, older)).isEqualTo(betterOrEqual);
    }

    @Test
    void findsTheBestOfThoseThatHaveAScoreTheFirstOfEquals() {
        List<Double> scores = Arrays.asList(null, 0.5, 0.9, -0.9, 0.9, -0.9, null);
        List<Integer> places = IntStream.range(0, scores.size()).boxed().toList();
        assertThat(MetricDirection.MAXIMIZE.best(places, scores::get)).contains(2);
        assertThat(MetricDirection.MINIMIZE.best(places, scores::get)).contains(3);
        assertThat(MetricDirection.MINIMIZE.best(List.of(0), scores::get)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotANumberIsBetterThanNoNumber(MetricDirection direction) {
        List<Double> scores = List.of(Double.NaN, 0.5, Double.NaN, 0.9, Double.POSITIVE_INFINITY, -1e308);

        assertThat(scores.stream().sorted(direction.bestFirst()).skip(4)).containsOnly(Double.NaN);
        assertThat(direction.best(scores, score -> score)).hasValueSatisfying(
                best -> assertThat(best).isEqualTo(scores.stream().sorted(direction.bestFirst()).findFirst().get()));
        for (double score : List.of(0.5, -1e308)) {
            assertThat(direction.isImprovement(Double.NaN, score)).isFalse();
            assertThat(direction.isImprovementOrEqual(Double.NaN, score)).isFalse();
            assertThat(direction.isImprovement(score, Double.NaN)).isTrue();
            assertThat(direction.better(Double.NaN, score)).isEqualTo(score);
            assertThat(direction.better(score, Double.NaN)).isEqualTo(score);
        }
    }
}

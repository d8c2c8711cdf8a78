package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SearchSettings.MinGain;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The error of a gain is here the difference of the two errors.
class AcceptanceTest {
    private static final Acceptance NOISE = new Acceptance(MetricDirection.MAXIMIZE, MinGain.NOISE);

    private static SolutionScript script(String code, double score, double error) {
        List<Double> draws = List.of(score - error, score, score + error);
        return Texts.solution(code, score).validated(new Validation("d1", code, score, score, draws, draws));
    }

    private static Rival rival(double score, double error) {
        return Rival.of(script("old", score, error));
    }

    @ParameterizedTest
    @CsvSource({
        "MAXIMIZE, NOISE, 0.80, false", "MAXIMIZE, NOISE, 0.82, false", "MAXIMIZE, NOISE, 0.85, true", "MAXIMIZE, NOISE, 0.7, false",
        "MINIMIZE, NOISE, 0.78, false", "MINIMIZE, NOISE, 0.75, true", "MINIMIZE, NOISE, 0.85, false",
        "MAXIMIZE, NONE, 0.80, true", "MAXIMIZE, NONE, 0.801, true", "MAXIMIZE, NONE, 0.799, false"})
    void byNoiseAScriptTakesAnothersPlaceOnlyByAGainAboveItsPairedError(MetricDirection direction, MinGain minGain, double score, boolean taken) {
        Acceptance acceptance = new Acceptance(direction, minGain);

        assertThat(acceptance.takesPlace(script("new", score, 0.04), rival(0.8, 0.01), rival(0.8, 0.01))).isEqualTo(taken);
    }

    @Test
    void scriptsThatScoredThemselvesAreComparedAsInThePaper() {
        Rival old = Rival.of(Texts.solution("old", 0.8));
        assertThat(NOISE.takesPlace(Texts.solution("new", 0.8), rival(0.8, 0.01), rival(0.8, 0.01))).isTrue();
        assertThat(NOISE.takesPlace(script("new", 0.7999, 0.01), old, old)).isFalse();
        assertThat(NOISE.takesPlace(Texts.solution("new", 0.9).failed(), old, old)).isFalse();
    }

    /// The start scores 0.8 ± 0.01, what has taken its place 0.83 ± 0.02.
    @ParameterizedTest
    @CsvSource({"0.831, 0.03, true", "0.83, 0.03, false", "0.82, 0.015, false", "0.85, 0.07, false"})
    void ofThoseThatAreBetterThanTheStartForSureTheBestIsTaken(double score, double error, boolean taken) {
        assertThat(NOISE.takesPlace(script("new", score, error), rival(0.83, 0.02), rival(0.8, 0.01))).isEqualTo(taken);
    }

    @Test
    void inThePaperTheStartDoesNotMatter() {
        assertThat(new Acceptance(MetricDirection.MAXIMIZE, MinGain.NONE).takesPlace(script("new", 0.83, 0.9), rival(0.83, 0.02), rival(0.9, 0.01))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(MinGain.class)
    void theBestIsTheBestByScoreAlsoWithinNoise(MinGain minGain) {
        List<SolutionScript> scripts = List.of(script("poor", 0.7, 0.05), script("first", 0.8, 0.05), script("best", 0.82, 0.01), script("last", 0.81, 0.05));

        assertThat(new Acceptance(MetricDirection.MAXIMIZE, minGain).ranked(scripts)).extracting(script -> script.content().lines().findFirst().orElseThrow())
                .containsExactly("best", "last", "first", "poor");
        assertThat(new Acceptance(MetricDirection.MAXIMIZE, minGain).best(scripts)).contains(scripts.get(2));
    }
}

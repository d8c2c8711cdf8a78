package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The error of a gain is here the difference of the two errors.
class AcceptanceTest {
    private static final Acceptance ACCEPTANCE = new Acceptance(MetricDirection.MAXIMIZE);

    private static SolutionScript script(String code, double score, double error) {
        List<Double> draws = List.of(score - error, score, score + error);
        return Texts.solution(code, score).scored(Score.by(new Validation("d1", code, score, score, draws, draws)));
    }

    @ParameterizedTest
    @CsvSource({"MAXIMIZE, 0.80, false", "MAXIMIZE, 0.82, false", "MAXIMIZE, 0.85, true", "MAXIMIZE, 0.7, false",
        "MINIMIZE, 0.78, false", "MINIMIZE, 0.75, true", "MINIMIZE, 0.85, false"})
    void aScriptBeatsAnotherOnTheSameHiddenRowsByAGainAboveItsPairedErrorOnly(MetricDirection direction, double score,
            boolean beats) {
        assertThat(script("new", score, 0.04).score().beats(script("old", 0.8, 0.01).score(), direction))
                .isEqualTo(beats);
    }

    @ParameterizedTest
    @CsvSource({"MAXIMIZE, 0.80, true", "MAXIMIZE, 0.801, true", "MAXIMIZE, 0.799, false", "MINIMIZE, 0.801, false",
        "MINIMIZE, 0.80, true"})
    void aScoreThatIsNotWorseTakesAPlaceAsInThePaper(MetricDirection direction, double score, boolean taken) {
        Rival best = Rival.of(Texts.solution("old", 0.8));
        assertThat(new Acceptance(direction).takesPlace(Texts.solution("new", score), best)).isEqualTo(taken);
        assertThat(new Acceptance(direction).takesPlace(Texts.solution("new", score).failed(), best)).isFalse();
    }

    /// The first script is worse by 0.01 ± 0.03, the last by 0.1.
    @ParameterizedTest
    @CsvSource({"0.79, , , false", "0.81, , , true", "0.79, dry, , true", "0.79, dry, wet, true",
        "0.79, dry, dry, false",
        "0.81, , wet, false", "0.7, dry, , false", "0.9, , wet, true"})
    void aJudgementThatTheBestScriptLacksOutweighsNoise(double score, String judged, String best, boolean isKept) {
        SolutionScript script = script("new", score, 0.04);
        SolutionScript before = script("old", 0.8, 0.01);
        assertThat(ACCEPTANCE.isKept(judging(script, judged), judging(before, best))).isEqualTo(isKept);
    }

    private static SolutionScript judging(SolutionScript script, String judgement) {
        return judgement == null ? script : script.printing("Summary: trees\njudgement : " + judgement + "\nlast");
    }

    @Test
    void aScriptSurelyBeatsAnotherByTwiceTheErrorOfTheGain() {
        SolutionScript old = script("old", 0.8, 0.01);
        assertThat(script("new", 0.81, 0.016).score().surelyBeats(old.score(), MetricDirection.MAXIMIZE)).isFalse();
        assertThat(script("new", 0.82, 0.016).score().surelyBeats(old.score(), MetricDirection.MAXIMIZE)).isTrue();
        assertThat(Score.printed(0.81).surelyBeats(Score.printed(0.8), MetricDirection.MAXIMIZE))
                .as("without errors, any gain is one").isTrue();
    }

    @Test
    @Requirement({"REQ-EX-027", "REQ-P1-023"})
    void theBestIsTheBestByScoreAlsoWithinNoise() {
        List<SolutionScript> scripts = List.of(script("poor", 0.7, 0.05), script("first", 0.8, 0.05),
                script("best", 0.82, 0.01), script("last", 0.81, 0.05));

        assertThat(ACCEPTANCE.ranked(scripts)).extracting(script -> script.content().lines().findFirst().orElseThrow())
                .containsExactly("best", "last", "first", "poor");
        assertThat(ACCEPTANCE.best(scripts)).contains(scripts.get(2));
    }

    /// The first fold is the easier part of the search.
    @Test
    void scriptsAreComparedByRowsThatAllWereScoredOn() {
        Holdout hidden = new Holdout("d", "at random", List.of(90, 90), 20, false, List.of("train.csv"), null);
        List<Double> draws = List.of(0.8, 0.9);
        SolutionScript onAll = Texts.solution("on all folds", 0.80).scored(Score.by(new Validation("d", "a", 0.80, 0.8,
                draws, draws, new Validation.Sample("d/0", 0.86, draws), List.of(0.86, 0.74))));
        SolutionScript onFirst = Texts.solution("on the first", 0.84)
                .scored(Score.by(new Validation("d/0", "b", 0.84, 0.8, draws, draws)));
        List<SolutionScript> scripts = List.of(onFirst, onAll);

        assertThat(ACCEPTANCE.ranked(scripts)).containsExactly(onAll, onFirst);
        assertThat(scripts.stream().min(ACCEPTANCE.byAllRows(scripts, hidden))).contains(onAll);
    }
}

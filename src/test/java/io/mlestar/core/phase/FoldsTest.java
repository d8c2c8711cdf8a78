package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoldsTest {
    private static final String GOOD = "fit()\n# score 0.80\n# select 0.79\n# all 0.78\n# submits 7";
    private static final List<Double> DRAWS = MadeUpPython.draws(0.80, 0.01);
    private static final Rival ON_ALL = new Rival("phase1",
            Score.by(new Validation("folded", "best", 0.78, 0.7, DRAWS, DRAWS,
                    new Validation.Sample("folded/0", 0.80, DRAWS), List.of())));

    private final Map<String, Object> config =
            new HashMap<>(Map.of("search", "strong", "folds", 3, "max_debug_attempts", 1));

    private Scenario scenario() {
        return new Scenario(config).hideFolds(3).answer(Debugger.class, asked -> Texts.NO_CODE);
    }

    private static Evaluation evaluation(String code, Rival rival) {
        return new Evaluation(SolutionScript.unscored(code, SolutionPhase.REFINED), Kind.SOLUTION, rival);
    }

    @Test
    void aScriptIsRunOnEachFoldAndScoredOnAll() {
        Scenario scenario = scenario();

        Evaluation.Result evaluated = scenario.play(evaluation(GOOD, ON_ALL));

        assertThat(scenario.leaves()).containsExactly("script", "fold", "fold-2", "combination");
        assertThat(scenario.asked(RunScript.class)).extracting(RunScript::fold).containsExactly(0, 1, 2);
        assertThat(scenario.together()).containsExactly(List.of("fold", "fold-2"));
        assertThat(evaluated.script().score().value()).isEqualTo(0.78);
        assertThat(evaluated.script().score().validation().first().score())
                .as("for comparisons with scripts of one fold").isEqualTo(0.80);
        assertThat(evaluated.submission().key()).as("the mean of its folds").startsWith("mean-");
    }

    @Test
    void aScriptThatFailsOnAFoldHasFailedAndTheFoldIsNamed() {
        Evaluation.Result evaluated = scenario().play(evaluation(GOOD + "\n# fold2 too few rows", ON_ALL));

        assertThat(evaluated.failure()).isEqualTo("on fold 2: ValueError: too few rows");
        assertThat(evaluated.script().score().value()).isNull();
        assertThat(evaluated.script().score().validation()).isNull();
        assertThat(evaluated.submission()).isNull();
    }

    @Test
    void aScriptThatIsSurelyWorseOnTheFirstFoldStopsThere() {
        Scenario scenario = scenario();

        Evaluation.Result evaluated = scenario.play(evaluation(GOOD.replace("0.80", "0.7") + "\n# error 0.02", ON_ALL));

        assertThat(scenario.leaves()).containsExactly("script");
        assertThat(evaluated.failure()).as("it did not fail").isNull();
        assertThat(evaluated.lost()).isEqualTo("stopped after the first fold: surely worse, by 0.100 ± 0.010");
        assertThat(evaluated.script().score().value()).as("no place, and no part of a blend").isNull();
        assertThat(evaluation("", null).report(evaluated).score().isLost()).isTrue();
        assertThat(evaluation("", null).report(evaluated).summary()).startsWith("stopped after the first fold");
        assertThat(GreedyEnsemble.blendable(List.of(evaluated.script()))).isEmpty();
    }

    /// By twice the error of the difference, which is 0.05 here.
    @ParameterizedTest
    @CsvSource({"0.7001, true", "0.6999, false"})
    void whatMayBeBetterGoesOn(double score, boolean goesOn) {
        Scenario scenario = scenario();

        scenario.play(evaluation(GOOD.replace("0.80", "" + score) + "\n# error 0.06", ON_ALL));

        assertThat(scenario.leaves().contains("combination")).isEqualTo(goesOn);
    }

    @Test
    void aScriptHasAsManyFoldsAsWhatItWouldReplace() {
        Scenario scenario = scenario();
        Rival onFirst = new Rival("phase1", Score.by(new Validation("folded/0", "best", 0.80, 0.7, DRAWS, DRAWS)));

        Evaluation.Result evaluated = scenario.play(evaluation(GOOD, onFirst));

        assertThat(scenario.leaves()).containsExactly("script");
        assertThat(evaluated.script().score().value()).isEqualTo(0.80);
    }

    @ParameterizedTest
    @CsvSource({"2, false", "1000, true"})
    void ofACandidateTheTimeThatItTakesDecides(int seconds, boolean isAlone) {
        config.putAll(Map.of("folds", "auto", "time_limit_seconds", 3600));
        Scenario scenario = scenario();

        Evaluation.Result evaluated = scenario.play(evaluation(GOOD + "\n# seconds " + seconds, null));

        assertThat(evaluated.script().score().value()).isEqualTo(isAlone ? 0.80 : 0.78);
        assertThat(evaluated.script().score().isFolded()).isNotEqualTo(isAlone);
    }

    /// 4 candidates, 36 attempts and a combination, and twice the last script, which is run once
    /// whatever the folds.
    @ParameterizedTest
    @CsvSource({"5, 1, 60, 17_700, false", "5, 1, 60, 17_800, true", "5, 2, 60, 8_900, true", "1, 1, 60, 3_700, true",
        "3, 1, 1, 179, true",
        "3, 1, 1, 178, false"})
    void theRuleCountsTheScriptsOfTheRunThatAreStillExpected(int folds, int slots, double seconds, String limit,
            boolean affords) {
        int within = Integer.parseInt(limit.replace("_", ""));
        PipelineConfig strong =
                PipelineConfig.resolve(Json.tree(Map.of("search", "strong", "time_limit_seconds", within)), Map.of());

        assertThat(Evaluation.affords(seconds, folds, slots, strong)).isEqualTo(affords);
    }

    @Test
    void aCandidateWhoseFoldsHaveNoTimeKeepsTheFirstAndAnotherScriptIsNoneThen() {
        Scenario scenario = scenario().stop("fold-2");

        assertThat(scenario.play(evaluation(GOOD, null)).script().score().value()).isEqualTo(0.80);
        assertThat(scenario().stop("fold-2").outcome(evaluation(GOOD, ON_ALL))).isInstanceOf(Outcome.Stopped.class);
        assertThat(scenario().stop("combination").outcome(evaluation(GOOD, ON_ALL)))
                .isInstanceOf(Outcome.Stopped.class);
    }

    @Test
    void aSingleFoldIsRunOnce() {
        config.put("folds", 1);
        Scenario scenario = new Scenario(config).hideRows();

        assertThat(scenario.play(evaluation(GOOD, null)).script().score().value()).isEqualTo(0.80);
        assertThat(scenario.leaves()).containsExactly("script");
    }

    @Test
    void theRowsOfTheRunThatIsLastAreAllAndStudiesSeeTheFirstFold() {
        Scenario scenario = scenario();
        scenario.play(new Evaluation(SolutionScript.unscored("# submits 7", SolutionPhase.FINAL), Kind.SUBMISSION));
        DebugLoop.run(SolutionScript.unscored("# prints x", SolutionPhase.REFINED), Kind.STUDY, 60, scenario.steps());

        assertThat(scenario.asked(RunScript.class)).extracting(RunScript::holdout).containsExactly(null, "folded");
        assertThat(scenario.asked(RunScript.class)).extracting(RunScript::fold).containsExactly(0, 0);
        assertThat(scenario.asked(Arithmetic.class)).isEmpty();
    }
}

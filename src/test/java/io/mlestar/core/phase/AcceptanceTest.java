package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a script takes the place of another, on how many folds it is run for that, and when
/// *select* refutes the score that it has on the rows of the search. The error of a gain is here
/// the difference of the two errors.
class AcceptanceTest {
    private static final Acceptance ACCEPTANCE = new Acceptance(MetricDirection.MAXIMIZE);
    private static final int SEARCH = 900;
    private static final int SELECT = 100;
    private static final String GOOD = "fit()\n# score 0.80\n# select 0.79\n# all 0.78\n# submits 7";
    private static final List<Double> DRAWS = MadeUpPython.draws(0.80, 0.01);
    private static final Rival ON_ALL = new Rival("phase1", Score.by(new Validation("folded", "best", 0.78, 0.7, DRAWS,
            DRAWS, new Validation.Sample("folded/0", 0.80, DRAWS), List.of())));

    private final Map<String, Object> config =
            new HashMap<>(Map.of("search", "strong", "folds", 3, "max_debug_attempts", 1));

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

    /// The scores of an honest script beside it: 0.633 on the search, 0.61 on select.
    @ParameterizedTest
    @CsvSource(textBlock = """
            # what it is,                           MAXIMIZE, search, error, select, error, refuted
            labels of all folds by heart,           MAXIMIZE, 1.0,    0,     0.49,   0.04,  true
            labels shared among the runs,           MAXIMIZE, 0.932,  0.007, 0.61,   0.04,  true
            a good script,                          MAXIMIZE, 0.70,   0.015, 0.68,   0.04,  false
            select is the easier part,              MAXIMIZE, 0.70,   0.015, 0.98,   0.02,  false
            the best of many by luck,               MAXIMIZE, 0.69,   0.015, 0.61,   0.04,  false
            an error that is small by heart,        MINIMIZE, 0.01,   0.001, 0.60,   0.04,  true
            an error,                               MINIMIZE, 0.55,   0.015, 0.60,   0.04,  false
            """)
    void aScoreIsRefutedIfSelectIsWorseBeyondChance(String what, MetricDirection direction, double search,
            double searchError, double select, double selectError, boolean isRefuted) {
        Validation honest = validation(0.633, 0.015, 0.61, 0.04);
        Validation script = validation(search, searchError, select, selectError);

        assertThat(Overstatement.isSure(script, List.of(honest, script), direction)).as(what).isEqualTo(isRefuted);
        assertThat(Overstatement.isSure(script, List.of(script), direction)).as("nothing to compare with").isFalse();
    }

    private static Validation validation(double search, double searchError, double select, double selectError) {
        return new Validation("d", "key", search, select, List.of(search - searchError, search, search + searchError),
                List.of(select - selectError, select, select + selectError));
    }

    /// 40 scripts that are right for 70 % of the rows, each on its own, where the rows of select
    /// are harder for all.
    @Test
    void ofManyHonestScriptsNoneIsRefuted() {
        int refuted = 0;
        for (int run = 0; run < 20; run++) {
            List<Validation> scripts = new ArrayList<>();
            for (int script = 0; script < 40; script++) {
                scripts.add(drawn(new Random(100L * run + script), 0.7, run % 2 == 0 ? 0.7 : 0.4));
            }
            refuted += (int) scripts.stream()
                    .filter(script -> Overstatement.isSure(script, scripts, MetricDirection.MAXIMIZE)).count();
        }
        assertThat(refuted).as("of 800").isLessThanOrEqualTo(4);
    }

    private static Validation drawn(Random chance, double onSearch, double onSelect) {
        boolean[] search = new boolean[SEARCH];
        boolean[] select = new boolean[SELECT];
        IntStream.range(0, SEARCH).forEach(row -> search[row] = chance.nextDouble() < onSearch);
        IntStream.range(0, SELECT).forEach(row -> select[row] = chance.nextDouble() < onSelect);
        return new Validation("d", "key", mean(search), mean(select), draws(search), draws(select));
    }

    private static double mean(boolean[] right) {
        return IntStream.range(0, right.length).filter(row -> right[row]).count() / (double) right.length;
    }

    /// On the same resamples for all scripts.
    private static List<Double> draws(boolean[] right) {
        Random chance = new Random(1);
        return IntStream.range(0, 50)
                .mapToObj(_ -> chance.ints(right.length, 0, right.length).filter(row -> right[row]).count()
                        / (double) right.length)
                .toList();
    }

    private Scenario scenario() {
        return new Scenario(config).hideFolds(3).at(2).answer(Debugger.class, asked -> Texts.NO_CODE);
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

    /// Each of which would take all of its time.
    @Test
    void aScriptThatFailsOnAFoldIsRunOnNoMoreThanRunBesideThat() {
        Scenario scenario = scenario().hideFolds(5);

        Evaluation.Result evaluated = scenario.play(evaluation(GOOD + "\n# fold1 too slow", ON_ALL));

        assertThat(evaluated.failure()).isEqualTo("on fold 1: ValueError: too slow");
        assertThat(scenario.leaves()).containsExactly("script", "fold", "fold-2");
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
    void anEnsembleIsScoredOnAllFolds() {
        Scenario scenario = scenario();
        SolutionScript worse = SolutionScript.unscored(GOOD.replace("0.80", "0.6"), SolutionPhase.ENSEMBLE);
        scenario.play(new Evaluation(worse, Kind.SOLUTION, ON_ALL));
        assertThat(scenario.leaves()).contains("combination");
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

    /// 4 candidates, 36 attempts, a combination that counts as two, and twice the last script,
    /// which is run once whatever the folds.
    @ParameterizedTest
    @CsvSource({"5, 1, 60, 18100, false", "5, 1, 60, 18200, true", "5, 2, 60, 9100, true", "1, 1, 60, 3800, true",
        "3, 1, 1, 183, true", "3, 1, 1, 182, false"})
    void theRuleCountsTheScriptsOfTheRunThatAreStillExpected(int folds, int slots, double seconds, int within,
            boolean affords) {
        PipelineConfig strong =
                PipelineConfig.resolve(Json.tree(Map.of("search", "strong", "time_limit_seconds", within)), Map.of());

        assertThat(Evaluation.affords(seconds, folds, slots, strong)).isEqualTo(affords);
    }

    @Test
    void aCandidateWhoseFoldsHaveNoTimeKeepsTheFirstAndAnotherScriptIsNoneThen() {
        assertThat(scenario().stop("fold-2").play(evaluation(GOOD, null)).script().score().value()).isEqualTo(0.80);
        assertThat(scenario().stop("fold-2").outcome(evaluation(GOOD, ON_ALL))).isInstanceOf(Outcome.Stopped.class);
        assertThat(scenario().stop("fold").play(evaluation(GOOD + "\n# fold2 late", null)).failure())
                .isEqualTo("on fold 2: ValueError: late");
        assertThat(scenario().stop("combination").outcome(evaluation(GOOD, ON_ALL)))
                .isInstanceOf(Outcome.Stopped.class);
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

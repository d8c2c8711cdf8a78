package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.agent.Init;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.agent.ScriptCoder;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Gain;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A strong run whose scores come from hidden rows: two models (0.80 and 0.79), and one path whose
/// two attempts are no better for sure.
class TrustedScoresTest {
    private static final String S0 = "load()\nfit()\n# score 0.80\n# select 0.79\n# weight 1\n# submits 7";

    private final Map<String, Object> config = new HashMap<>(
            Map.of("search", "strong", "num_retrieved_models", 2, "num_parallel_solutions", 1, "attempts", 2,
                    "studies", 0, "max_debug_attempts", 1));
    private final Deque<String> attempts =
            new ArrayDeque<>(List.of(script("same()", 0.8, 0.79, 1), script("better()", 0.8, 0.78, 1)));

    private static String script(String code, double search, double select, int weight) {
        return code + "\n# score " + search + "\n# select " + select + "\n# weight " + weight + "\n# submits 7";
    }

    private Scenario open() {
        return new Scenario(config)
                .answers(Retriever.class, Texts.models("a", "b"))
                .answers(Init.class, code(S0), code(script("other()", 0.79, 0.78, 3)))
                .answer(ScriptCoder.class, asked -> "Kind: solution\n" + code(attempts.removeFirst()))
                .answer(Ensembler.class, asked -> code(script("mean()", 0.84, 0.7, 0)))
                .answer(Debugger.class, asked -> Texts.NO_CODE)
                .answer(TestSubmission.class, asked -> code("# submits 7"));
    }

    private Scenario scenario() {
        return open().hideRows();
    }

    /// The same, where the second attempt is another code.
    static Scenario scenarioWith(String attempt) {
        TrustedScoresTest test = new TrustedScoresTest();
        test.attempts.removeLast();
        test.attempts.add(attempt);
        return test.scenario();
    }

    private static EnsembleAttempt blend(Pipeline.Result solved) {
        return solved.phase3().attempts().getFirst();
    }

    @Test
    void blendTakesCandidatesAndAttemptsAndIsFinalizedAsItIs() {
        Scenario scenario = scenario();

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(blend(solved).plan()).isEqualTo(
                "greedy blend: 1 × phase1/candidate0, 3 × phase1/candidate1, 1 × phase2/leg0/path0-attempt0, "
                        + "1 × phase2/leg0/path0-attempt1, by mean");
        assertThat(blend(solved).solution().content()).contains("other()", "same()", "better()");
        assertThat(blend(solved).solution().step()).isEqualTo("phase3/blend");
        assertThat(blend(solved).solution().durationSeconds()).isEqualTo(12);
        assertThat(solved.finalSolution().content()).isEqualTo(blend(solved).solution().content());
        assertThat(solved.chosen().score().value()).isEqualTo(0.81);
        assertThat(solved.finalSolution().score().validation().select()).isEqualTo(0.80);
        assertThat(scenario.asked(TestSubmission.class)).isEmpty();
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.SUBMISSION)
                .extracting(RunScript::holdout).containsOnlyNulls()
                .hasSize(1);
        assertThat(scenario.leaves()).as("then it is compared with what was scored").last()
                .isEqualTo("finalization/comparison");
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "phase3", "finalization");
    }

    @Test
    void leakageIsCheckedOnlyWhereNoRowsAreHidden() {
        Scenario hiding = scenario();
        hiding.play(new Pipeline());
        attempts.addAll(List.of(script("same()", 0.8, 0.79, 1), script("better()", 0.8, 0.78, 1)));
        Scenario open = open();
        open.play(new Pipeline());

        assertThat(hiding.asked(Leakage.class)).isEmpty();
        assertThat(open.asked(Leakage.class)).as("each solution and the last script").hasSize(2 + 2 + 1);
    }

    @Test
    void aSubmissionThatIsFarFromWhatWasScoredIsNotHandedIn() {
        Scenario scenario =
                scenario().fail("phase3/blend", "phase3/round0").answers(Init.class, code(S0 + "\n# differs"),
                        code(script("other()", 0.79, 0.78, 0)));

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(solved.submission()).isNull();
        assertThat(solved.submissionFailure())
                .startsWith("the submission differs from what was scored: their distance is 2.00");
        assertThat(solved.finalSolution().content()).as("which wrote what is handed in").startsWith(S0);
        assertThat(solved.finalSolution().score().value()).isEqualTo(0.8);
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.SUBMISSION).hasSize(1);
    }

    @Test
    void aRepairedScriptKeepsTheScoreIfItSubmitsWhatWasScored() {
        Scenario scenario = scenario().fail("phase3/blend", "phase3/round0").answer(Debugger.class,
                asked -> code("repaired()\n# submits 7"));
        Pipeline.Result close =
                scenario.answers(Init.class, code(S0 + "\n# crashes"), code(script("other()", 0.79, 0.78, 0)))
                        .play(new Pipeline());

        assertThat(close.finalSolution().content()).isEqualTo("repaired()\n# submits 7");
        assertThat(close.finalSolution().score().value()).isEqualTo(0.8);
    }

    @Test
    void withoutHiddenRowsTheBestScriptsAreCombinedAndAgentsWriteTheSubmission() {
        config.put("num_parallel_solutions", 2);
        Scenario open = open();

        Pipeline.Result solved = open.play(new Pipeline());

        assertThat(solved.chosen().step()).isEqualTo("phase3/round0");
        assertThat(solved.chosen().score().value()).isEqualTo(0.84);
        assertThat(open.asked(TestSubmission.class)).hasSize(1);
        assertThat(open.asked(Arithmetic.class)).isEmpty();
    }

    @Test
    void aBlendOfOneIsNone() {
        attempts.clear();
        attempts.addAll(List.of(script("same()", 0.7, 0.7, 0), script("better()", 0.7, 0.7, 0)));
        Pipeline.Result solved =
                scenario().answers(Init.class, code(S0.replace("weight 1", "weight 0")),
                        code(script("other()", 0.79, 0.78, 3))).play(new Pipeline());

        assertThat(blend(solved).failure()).isEqualTo("no blend is better than its best member alone");
        assertThat(solved.finalSolution().content()).startsWith("load()\nfit()");
    }

    @Test
    void ifNothingCanBeBlendedTheBestInputStands() {
        Pipeline.Result solved = scenario().fail("phase3/blend").play(new Pipeline());

        assertThat(solved.chosen().score().value()).isEqualTo(0.8);
        assertThat(blend(solved).failure()).isEqualTo("the predictions could not be blended: made to fail");
        assertThat(solved.finalSolution().content()).isEqualTo(S0);
    }

    @Test
    void ifTheChosenScriptFailsOnAllRowsNoOtherIsTried() {
        Scenario scenario = scenario().fail("finalization/evaluation/script");

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(solved.submission()).as("the run hands in what the chosen one predicted").isNull();
        assertThat(solved.submissionFailure())
                .isEqualTo("its members could not be trained again: the evaluation failed");
        assertThat(solved.finalSolution().content()).isEqualTo(blend(solved).solution().content());
        assertThat(solved.chosen().step()).isEqualTo("phase3/blend");
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.SUBMISSION).hasSize(1);
        assertThat(scenario.asked(Debugger.class)).isEmpty();
    }

    @Test
    void solutionsAreToldHowManyRowsTheyMayLearnFromAndTheLastOneIsNot() {
        Scenario scenario = scenario();
        scenario.play(new Pipeline());

        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.rows() == null).extracting(RunScript::kind)
                .contains(Kind.SUBMISSION).doesNotContain(Kind.STUDY, Kind.SOLUTION);
        Scenario open = open();
        attempts.addAll(List.of(script("same()", 0.8, 0.79, 1), script("better()", 0.8, 0.78, 1)));
        open.play(new Pipeline());
        assertThat(open.asked(RunScript.class)).as("agents take the subsampling out of the last script")
                .allMatch(run -> run.rows() == null);
    }

    /// The other model leads on the rows kept for the choice by less than it lost in the search.
    @Test
    void theFinalScriptIsTheBestOnAllHiddenRowsTogether() {
        Pipeline.Result solved = scenario().answers(Init.class, code(S0), code(script("other()", 0.77, 0.81, 0)))
                .fail("phase3/blend").play(new Pipeline());
        assertThat(solved.finalSolution().content()).isEqualTo(S0);
    }

    /// Five attempts lead in the search, by noise as it turns out.
    @Test
    void thePlainInputIsAmongTheFinalists() {
        config.put("attempts", 5);
        attempts.clear();
        for (int i = 1; i <= 5; i++) {
            attempts.add("lucky" + i + "()\n# score 0.8" + i + "\n# select 0.6");
        }
        Pipeline.Result solved = scenario().fail("phase3/blend").play(new Pipeline());
        assertThat(solved.finalSolution().content()).isEqualTo(S0);
    }

    @Test
    void onlyTheLastScriptSeesTheLabelsOfHiddenRows() {
        config.put("studies", 1);
        Scenario scenario = scenario().answer(ScriptCoder.class,
                asked -> asked.best() == null ? "Kind: study\n" + code("# prints kinds") : null);
        scenario.play(new Pipeline());

        assertThat(scenario.asked(RunScript.class)).extracting(RunScript::kind).contains(Kind.STUDY, Kind.SOLUTION,
                Kind.SUBMISSION);
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.holdout() == null).extracting(RunScript::kind)
                .containsExactly(Kind.MACHINE, Kind.DATA_CARD, Kind.HOLDOUT, Kind.SUBMISSION);
    }

    @Test
    void gainsAreSaidWithTheirErrors() {
        Pipeline.Result solved = scenario().play(new Pipeline());

        assertThat(solved.gains()).extracting(Gain::step).containsExactly("phase1/candidate0", "phase3/blend");
        assertThat(solved.gains().getFirst()).extracting(Gain::gain, Gain::errorOfGain).containsExactly(null, null);
        assertThat(solved.gains().getFirst().standardError()).isCloseTo(0.01, within(1e-9));
        assertThat(solved.gains().getLast().gain()).isCloseTo(0.01, within(1e-9));
        assertThat(solved.gains().getLast().errorOfGain()).isNotNull();
        assertThat(solved.lineage()).contains("phase1: initial solution, from a: score 0.800 ± 0.010",
                "chosen: phase3/blend: score 0.810 ± 0.010; on rows kept for this choice: 0.800 ± 0.010");
    }

    /// Models a to d: b is best, c next, a last; d has no score.
    @Test
    void eachPathBeginsWithACandidateOfItsOwn() {
        config.putAll(Map.of("num_retrieved_models", 4, "num_parallel_solutions", 4, "attempts", 4));
        attempts.addAll(List.of(script("x()", 0.1, 0.1, 0), script("y()", 0.1, 0.1, 0)));
        Scenario scenario = scenario().answer(Retriever.class, asked -> Texts.models("a", "b", "c", "d")).answers(
                Init.class, code(script("a()", 0.7, 0.7, 1)),
                code(script("b()", 0.8, 0.8, 1)), code(script("c()", 0.75, 0.75, 1)), code("d()"));

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(scenario.asked(ScriptSearch.class).getFirst().starts()).extracting(start -> start.sourceModel())
                .containsExactly("b", "c", "a", "b");
        assertThat(solved.lineage())
                .contains("phase2-path1: began with candidate c", "phase2-path2: began with candidate a")
                .noneMatch(line -> line.matches("phase2-path[03]: began .*"));
    }
}

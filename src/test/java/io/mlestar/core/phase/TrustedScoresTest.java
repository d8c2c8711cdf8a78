package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.plans;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.agent.Ablation;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.EnsPlanner;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.agent.Extractor;
import io.mlestar.core.agent.Init;
import io.mlestar.core.agent.Merger;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.phase.Pipeline.Solved;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Gain;
import io.mlestar.core.task.Results.RefinementAttempt;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A run whose scores the harness computes: two models (0.80 and 0.79), a merge that is worse, one path whose second attempt is better.
class TrustedScoresTest {
    private static final String S0 = "load()\nfit()\n# score 0.80\n# select 0.79\n# weight 1\n# submits 7";

    private final Map<String, Object> config = new HashMap<>(Map.ofEntries(Map.entry("num_retrieved_models", 2), Map.entry("outer_loop_steps", 1),
            Map.entry("inner_loop_steps", 2), Map.entry("num_parallel_solutions", 1), Map.entry("ensemble_rounds", 1), Map.entry("max_debug_attempts", 1),
            Map.entry("validation", "harness"), Map.entry("min_gain", "noise"), Map.entry("ensemble", "greedy"), Map.entry("final_solution", "verified"),
            Map.entry("brief", true)));

    private static String script(String code, double search, double select, int weight) {
        return code + "\n# score " + search + "\n# select " + select + "\n# weight " + weight + "\n# submits 7";
    }

    private Scenario scenario() {
        return new Scenario(config)
                .hideRows()
                .answers(Retriever.class, Texts.models("a", "b")).answers(Init.class, code(S0), code(script("other()", 0.79, 0.78, 3)))
                .answer(Merger.class, asked -> code(script("merged()", 0.7, 0.7, 0)))
                .answer(Ablation.class, asked -> code("# prints findings")).answer(Summarize.class, asked -> "Summary.")
                .answer(Extractor.class, asked -> plans("fit()\n# score 0.80")).answer(Planner.class, asked -> "Another plan.")
                .answers(Coder.class, code("same()\n# score 0.8"), code("better()\n# score 0.8"))
                .answer(EnsPlanner.class, asked -> "Average.").answer(Ensembler.class, asked -> code(script("mean()", 0.84, 0.7, 0)))
                .answer(Debugger.class, asked -> Texts.NO_CODE).answer(TestSubmission.class, asked -> code("# submits 7"));
    }

    /// The same, where the second attempt is another code.
    static Scenario scenarioWith(String attempt) {
        return new TrustedScoresTest().scenario().answer(Extractor.class, asked -> plans("fit()\n# score 0.80\n# select 0.79"))
                .answers(Coder.class, code("same()\n# score 0.8\n# select 0.79"), code(attempt));
    }

    private static EnsembleAttempt blend(Solved solved) {
        return solved.phase3().attempts().getLast();
    }

    @Test
    void blendTakesCandidatesAndAttemptsAndIsFinalizedAsItIs() {
        Scenario scenario = scenario();

        Solved solved = scenario.play(new Pipeline());

        assertThat(blend(solved).plan()).isEqualTo(
                "greedy blend: 1 × phase1/candidate0, 3 × phase1/candidate1, 1 × phase2-path0/block0/attempt0, 1 × phase2-path0/block0/attempt1, by mean");
        assertThat(blend(solved).solution().content()).contains("other()", "same()", "better()").doesNotContain("merged()");
        assertThat(blend(solved).solution().step()).isEqualTo("phase3/blend");
        assertThat(blend(solved).solution().durationSeconds()).isEqualTo(12);
        assertThat(solved.finalSolution().content()).isEqualTo(blend(solved).solution().content());
        assertThat(solved.bestScore()).isEqualTo(0.81);
        assertThat(solved.finalSolution().validation().select()).isEqualTo(0.80);
        assertThat(scenario.asked(TestSubmission.class)).isEmpty();
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.SUBMISSION).extracting(RunScript::holdout).containsOnlyNulls()
                .hasSize(1);
        assertThat(scenario.leaves()).as("then it is compared with what was scored").last().isEqualTo("finalization/comparison");
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "phase3", "finalization");
    }

    @Test
    void aScriptThatIsRewrittenForTheSubmissionShowsTheScoreOfTheChosenOneWithItsError() {
        config.put("brief", false);
        Solved solved = scenario().answer(TestSubmission.class, asked -> code("# submits 7\n# score 1e-09")).play(new Pipeline());

        assertThat(solved.finalSolution().content()).startsWith("# submits 7");
        assertThat(solved.finalSolution().score()).isEqualTo(0.81);
        assertThat(solved.finalSolution().validation().select()).isEqualTo(0.80);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aSubmissionThatIsFarFromWhatWasScoredIsNotHandedIn(boolean brief) {
        config.put("brief", brief);
        Scenario scenario = scenario().fail("phase3/blend").answer(TestSubmission.class, asked -> code("# submits 7\n# differs"));

        Solved solved =
                (brief ? scenario.answers(Init.class, code(S0 + "\n# differs"), code(script("other()", 0.79, 0.78, 0))) : scenario).play(new Pipeline());

        assertThat(solved.submission()).isNull();
        assertThat(solved.submissionFailure()).startsWith("the submission differs from what was scored: their distance is 2.00");
        assertThat(solved.finalSolution().content()).as("which wrote what is handed in").startsWith(S0);
        assertThat(solved.finalSolution().score()).isEqualTo(0.8);
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.SUBMISSION).hasSize(1);
    }

    @Test
    void aRepairedScriptKeepsTheScoreIfItSubmitsWhatWasScored() {
        Scenario scenario = scenario().fail("phase3/blend").answer(Debugger.class, asked -> code("repaired()\n# submits 7"));
        Solved close = scenario.answers(Init.class, code(S0 + "\n# crashes"), code(script("other()", 0.79, 0.78, 0))).play(new Pipeline());

        assertThat(close.finalSolution().content()).isEqualTo("repaired()\n# submits 7");
        assertThat(close.finalSolution().score()).isEqualTo(0.8);
    }

    @Test
    void everyScriptThatScoredKeepsItsValidationToTheEndOfItsPhase() {
        Solved solved = scenario().play(new Pipeline());

        assertThat(solved.phase1().mergedSolutions()).extracting(merge -> merge.validation().search()).containsExactly(0.7);
        assertThat(solved.phase2Results().getFirst().stepHistory().getFirst().innerLoopAttempts()).extracting(RefinementAttempt::wasImprovement)
                .containsExactly(false, false);
        assertThat(solved.phase2Results().getFirst().stepHistory().getFirst().innerLoopAttempts())
                .allSatisfy(attempt -> assertThat(attempt.script().validation()).isNotNull());
    }

    @Test
    void withoutHiddenRowsTheRunGoesAsThePapersDoes() {
        config.put("num_parallel_solutions", 2);
        Scenario fallback = new Scenario(config).answers(Retriever.class, Texts.models("a", "b"))
                .answers(Init.class, code(S0), code(script("other()", 0.79, 0.78, 3))).answer(Merger.class, asked -> code("merged()\n# score 0.7"))
                .answer(Ablation.class, asked -> code("# prints findings")).answer(Summarize.class, asked -> "Summary.")
                .answer(Extractor.class, asked -> plans("fit()\n# score 0.80")).answer(Planner.class, asked -> "Another plan.")
                .answer(Coder.class, asked -> code("same()\n# score 0.8"))
                .answer(EnsPlanner.class, asked -> "Average.").answer(Ensembler.class, asked -> code("mean()\n# score 0.95"))
                .answer(TestSubmission.class, asked -> code("# submits 7"));

        Solved solved = fallback.play(new Pipeline());

        assertThat(solved.bestScore()).isEqualTo(0.95);
        assertThat(fallback.asked(Round.class)).hasSize(1);
        assertThat(fallback.asked(TestSubmission.class)).hasSize(1);
        assertThat(solved.phase2Results()).allSatisfy(path -> assertThat(path.stepHistory().getFirst().innerLoopAttempts())
                .allSatisfy(attempt -> assertThat(attempt.script()).isNull()));
        assertThat(fallback.asked(Arithmetic.class)).isEmpty();
    }

    @Test
    void theTimeOfAScriptDoesNotDecideWhoIsInABlend() {
        config.put("script_timeout_seconds", 4);
        assertThat(blend(scenario().play(new Pipeline())).solution().durationSeconds()).as("of four that took 3 s").isEqualTo(12);
    }

    @Test
    void aBlendOfOneIsNone() {
        Solved solved = scenario().answers(Init.class, code(S0.replace("weight 1", "weight 0")), code(script("other()", 0.79, 0.78, 3))).play(new Pipeline());

        assertThat(blend(solved).failure()).isEqualTo("no blend is better than its best member alone");
        assertThat(solved.finalSolution().content()).startsWith("load()\nfit()");
    }

    @Test
    void bothTriesTheRoundsFirstAndMayBlendThem() {
        config.putAll(Map.of("ensemble", "both", "num_parallel_solutions", 2));
        Scenario scenario = scenario().answer(Coder.class, asked -> code("better()\n# score 0.8"));

        Solved solved = scenario.play(new Pipeline());

        assertThat(solved.phase3().attempts()).extracting(EnsembleAttempt::plan).first().isEqualTo("Average.");
        assertThat(solved.phase3().bestEnsembleScore()).isEqualTo(0.84);
        assertThat(blend(solved).plan()).startsWith("greedy blend");
        assertThat(solved.finalSolution().content()).as("0.84 in the search, but 0.7 on the rows kept for the choice")
                .isEqualTo(blend(solved).solution().content());
        assertThat(solved.completed()).contains("phase3");
    }

    @Test
    void ifNothingCanBeBlendedTheBestInputStands() {
        Scenario scenario = scenario().fail("phase3/blend");

        Solved solved = scenario.play(new Pipeline());

        assertThat(solved.bestScore()).isEqualTo(0.8);
        assertThat(blend(solved).failure()).isEqualTo("the predictions could not be blended: made to fail");
        assertThat(solved.finalSolution().content()).isEqualTo(S0);
    }

    @Test
    void ifTheChosenScriptFailsOnAllRowsNoOtherIsTried() {
        Scenario scenario = scenario().fail("finalization/evaluation/script");

        Solved solved = scenario.play(new Pipeline());

        assertThat(solved.submission()).as("the run hands in what the chosen one predicted").isNull();
        assertThat(solved.submissionFailure()).isEqualTo("its members could not be trained again: the evaluation failed");
        assertThat(solved.finalSolution().content()).isEqualTo(blend(solved).solution().content());
        assertThat(solved.chosen().step()).isEqualTo("phase3/blend");
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.SUBMISSION).hasSize(1);
        assertThat(scenario.asked(Debugger.class)).isEmpty();
    }

    @Test
    void scriptsOfAShortRunAreToldHowManyRowsTheyMayLearnFromAndTheLastOneIsNot() {
        Scenario scenario = scenario();
        scenario.play(new Pipeline());
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.rows() == null).extracting(RunScript::kind)
                .contains(Kind.SUBMISSION).doesNotContain(Kind.ABLATION, Kind.SOLUTION);
        config.put("brief", false);
        Scenario withAgents = scenario();
        withAgents.play(new Pipeline());
        assertThat(withAgents.asked(RunScript.class)).as("agents take the subsampling out of the last script").allMatch(run -> run.rows() == null);
    }

    /// The other model leads on the rows kept for the choice by less than it lost in the search.
    @Test
    void theFinalScriptIsTheBestOnAllHiddenRowsTogether() {
        Solved solved = scenario().answers(Init.class, code(S0), code(script("other()", 0.77, 0.81, 0))).fail("phase3/blend").play(new Pipeline());
        assertThat(solved.finalSolution().content()).isEqualTo(S0);
    }

    /// Five attempts lead in the search, by noise as it turns out.
    @Test
    void thePlainInputIsAmongTheFinalists() {
        config.putAll(Map.of("inner_loop_steps", 5, "min_gain", "none"));
        Solved solved = scenario().answer(Extractor.class, asked -> plans("fit()\n# score 0.80\n# select 0.79"))
                .answers(Coder.class,
                        IntStream.range(0, 5).mapToObj(i -> code("lucky" + i + "()\n# score 0.8" + (i + 1) + "\n# select 0.6")).toArray(String[]::new))
                .fail("phase3/blend").play(new Pipeline());
        assertThat(solved.finalSolution().content()).isEqualTo(S0);
    }

    @Test
    void onlyTheLastScriptSeesTheLabelsOfHiddenRows() {
        Scenario scenario = scenario();
        scenario.play(new Pipeline());
        assertThat(scenario.asked(RunScript.class)).extracting(RunScript::kind).contains(Kind.ABLATION, Kind.SOLUTION, Kind.SUBMISSION);
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.holdout() == null).extracting(RunScript::kind)
                .containsExactly(Kind.MACHINE, Kind.DATA_CARD, Kind.HOLDOUT, Kind.SUBMISSION);
    }

    @Test
    void gainsAreSaidWithTheirErrors() {
        Solved solved = scenario().play(new Pipeline());

        assertThat(solved.gains()).extracting(Gain::step).containsExactly("phase1/candidate0", "phase3/blend");
        assertThat(solved.gains().getFirst()).extracting(Gain::gain, Gain::errorOfGain).containsExactly(null, null);
        assertThat(solved.gains().getFirst().standardError()).isCloseTo(0.01, within(1e-9));
        assertThat(solved.gains().getLast().gain()).isCloseTo(0.01, within(1e-9));
        assertThat(solved.gains().getLast().errorOfGain()).isNotNull();
        assertThat(solved.lineage()).contains("phase1: initial solution, from a: score 0.8 ± 0.010",
                "chosen: phase3/blend: score 0.81 ± 0.010; on rows kept for this choice: 0.8 ± 0.010");
    }

    /// The second merge leads within noise of the first, and both are better for sure than the best candidate.
    @Test
    void ofMergesThatAreBetterForSureThanTheBestCandidateTheBestIsTaken() {
        config.put("num_retrieved_models", 3);
        Solved solved = scenario().answer(Retriever.class, asked -> Texts.models("a", "b", "c"))
                .answers(Init.class, code(S0), code(script("other()", 0.79, 0.78, 3)), code(script("third()", 0.78, 0.78, 0)))
                .answers(Merger.class, code(script("merged()", 0.82, 0.7, 0)), code(script("twice()", 0.83, 0.7, 0) + "\n# error 0.03"))
                .answer(Extractor.class, asked -> plans("twice()")).play(new Pipeline());

        assertThat(solved.phase1().initialSolution().content()).startsWith("twice()");
        assertThat(solved.phase1().decisions().getLast().comparedWith().step()).isEqualTo("phase1/merge1");
        assertThat(solved.phase1().decisions().getLast().start().step()).isEqualTo("phase1/candidate0");
    }

    @Test
    void scriptThatLeadsByChanceAloneIsNotTaken() {
        Solved solved = scenario().answerAt("phase2-path0/block0/attempt1/coder", code("better()\n# score 0.805\n# error 0.05")).play(new Pipeline());

        assertThat(solved.phase2Results().getFirst().bestSolution().content()).isEqualTo(S0);
        assertThat(solved.phase2Results().getFirst().stepHistory().getFirst().innerLoopAttempts()).extracting(RefinementAttempt::score).containsExactly(0.8,
                0.805);
    }
}

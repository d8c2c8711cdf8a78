package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.leaks;
import static io.mlestar.core.phase.Texts.script;
import static io.mlestar.core.task.Examples.scriptOf;
import static io.mlestar.core.task.Examples.trial;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Data;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Init;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.LeakageCorrection;
import io.mlestar.core.agent.Merger;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Algorithm 1, and the checks that follow it, with models `m0`, `m1`, … that give candidates with
/// known scores.
class InitialSolutionTest {
    private static final String MERGED = "fit_both()\n# score 0.9";
    private static final SolutionScript UNREVISED =
            scriptOf(MERGED, SolutionPhase.MERGED, 0.9, true, null).by("phase1/merge1").ranFor(3);

    private final Scenario scenario = of(0.8, 0.7).answers(Merger.class, code(MERGED));

    /// @param scores one for each model; null crashes for good
    private static Scenario of(Double... scores) {
        String[] models = IntStream.range(0, scores.length).mapToObj(i -> "m" + i).toArray(String[]::new);
        return new Scenario(Map.of("num_retrieved_models", scores.length, "max_debug_attempts", 1))
                .answers(Retriever.class, Texts.models(models))
                .answer(Init.class,
                        asked -> code(script("fit('" + asked.modelName() + "')", scores[number(asked.modelName())])))
                .answer(Debugger.class, asked -> Texts.NO_CODE);
    }

    private static int number(String model) {
        return Integer.parseInt(model.substring(1));
    }

    /// The merger's answer.
    private static String merged(Double score) {
        return code(script("fit_both()", score));
    }

    @Test
    @Requirement({"REQ-P1-018", "REQ-P1-019", "REQ-P1-020", "REQ-P1-024", "REQ-P1-041", "REQ-P1-042", "REQ-SF-022",
        "REQ-SF-030"})
    void asksInTheOrderOfAlgorithm1() {
        Scenario scenario = of(0.7, 0.9).answers(Merger.class, merged(0.95));

        Phase1Result result = scenario.play(new InitialSolution());

        assertThat(scenario.leaves()).containsExactly(
                "retriever",
                "candidate0/init", "candidate0/evaluation/leakage", "candidate0/evaluation/script",
                "candidate1/init", "candidate1/evaluation/leakage", "candidate1/evaluation/script",
                "merge1/merger", "merge1/evaluation/leakage", "merge1/evaluation/script",
                "data", "leakage");
        assertThat(result.initialSolution().score().value()).isEqualTo(0.95);
        assertThat(result.initialScore()).isEqualTo(0.95);
    }

    @Test
    @Requirement({"REQ-P1-034", "REQ-P1-036"})
    void candidatesAreMadeInParallelButMergesOneAfterTheOther() {
        Scenario scenario = of(0.9, 0.8, 0.7).answer(Merger.class, asked -> merged(0.9));

        scenario.play(new InitialSolution());

        assertThat(scenario.together()).containsExactly(List.of("candidate0", "candidate1", "candidate2"));
        assertThat(scenario.phases()).containsSubsequence("merge1", "merge1/evaluation", "merge2", "merge2/evaluation");
    }

    @Test
    @Requirement({"REQ-P1-010", "REQ-P1-012", "REQ-P1-020", "REQ-P1-032", "REQ-EX-026"})
    void eachModelGivesACandidateInTheOrderOfRetrieval() {
        Scenario scenario = of(0.7, 0.9, null).answers(Merger.class, merged(0.1));

        Phase1Result result = scenario.play(new InitialSolution());

        assertThat(scenario.asked(Retriever.class)).containsExactly(new Retriever("Predict y.", 3, null));
        assertThat(scenario.asked(Init.class)).containsExactly(new Init("Predict y.", "m0", "import m0", null),
                new Init("Predict y.", "m1", "import m1", null), new Init("Predict y.", "m2", "import m2", null));
        assertThat(result.retrievedModels()).hasSize(3);
        assertThat(result.candidateScores()).containsExactly(0.7, 0.9, null);
        assertThat(result.candidateSolutions()).containsExactly(
                scriptOf("fit('m0')\n# score 0.7", SolutionPhase.INIT, 0.7, true, "m0").by("phase1/candidate0")
                        .ranFor(3),
                scriptOf("fit('m1')\n# score 0.9", SolutionPhase.INIT, 0.9, true, "m1").by("phase1/candidate1")
                        .ranFor(3),
                new SolutionScript("fit('m2')\n# crash broken", SolutionPhase.INIT, Score.NONE, false, "m2",
                        "phase1/candidate2", null, "ValueError: broken"));
    }

    @Test
    @Requirement({"REQ-P1-004", "REQ-P1-005", "REQ-OR-042"})
    void theRetrieverIsAskedOnceMoreIfItsAnswerIsUnreadableThenThePhaseFailsWithItsReason() {
        Scenario second = of(0.7).answers(Retriever.class, "Sorry.", Texts.models("m0"));
        assertThat(second.play(new InitialSolution()).retrievedModels()).hasSize(1);
        assertThat(second.asked(Retriever.class)).hasSize(2);

        assertThat(of(0.7).answers(Retriever.class, "Sorry.", "{\"models\": []}").outcome(new InitialSolution()))
                .isInstanceOfSatisfying(Outcome.Failed.class, failed -> assertThat(failed.reason())
                        .contains("retriever", "A_retriever returned zero models"));
    }

    @Test
    @Requirement({"REQ-P1-021", "REQ-P1-023", "REQ-P1-025"})
    void twoFailuresOfFourLeaveTwoThatAreMergedBestFirst() {
        Scenario scenario = of(0.7, null, 0.9, null).answers(Merger.class, merged(0.91));

        assertThat(scenario.play(new InitialSolution()).initialScore()).isEqualTo(0.91);
        assertThat(scenario.asked(Merger.class)).containsExactly(
                new Merger("fit('m2')\n# score 0.9", "fit('m0')\n# score 0.7", trial(0.9, 3.0), trial(0.7, 3.0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {Texts.NO_CODE, "```python\nprint('no score')\n```",
        "```python\n# score 0.99\n# crash late\n```"})
    @Requirement({"REQ-P1-021", "REQ-P1-029", "REQ-P2I-027"})
    void candidateWithoutCodeOrScoreOrWithACrashAfterItsScoreCountsAsFailed(String answer) {
        Scenario scenario = of(0.5, 0.6).answerAt("candidate1/init", answer);

        Phase1Result result = scenario.play(new InitialSolution());

        assertThat(result.candidateScores()).containsExactly(0.5, null);
        assertThat(result.candidateSolutions().get(1).sourceModel()).isEqualTo("m1");
        assertThat(result.initialSolution()).isEqualTo(result.candidateSolutions().getFirst());
        assertThat(scenario.asked(Merger.class)).isEmpty();
    }

    @Test
    @Requirement({"REQ-P1-022", "REQ-OR-042"})
    void phaseFailsIfEveryCandidateFails() {
        assertThat(of(null, null, null, null).outcome(new InitialSolution()))
                .isEqualTo(
                        new Outcome.Failed<Phase1Result>("Phase 1 failed: all 4 candidates produced execution errors"));
    }

    @Test
    @Requirement({"REQ-P1-022", "REQ-OR-042"})
    void whereCandidatesWereTriedTwiceTheReasonsOfBothTriesAreTold() {
        Scenario scenario =
                of(null, null).stop("candidate0", "candidate1/evaluation").answerAt("candidate1-2/init", Texts.NO_CODE);

        assertThat(scenario.outcome(new InitialSolution()))
                .isEqualTo(new Outcome.Failed<Phase1Result>("Phase 1 failed: none of the 2 candidates has a score:"
                        + " m0: made to stop, then it was run, and gave no score; m1: made to stop, then init: no code in the answer; the answer began: "
                        + Texts.NO_CODE));
    }

    @Test
    @Requirement({"REQ-P1-025", "REQ-P1-027", "REQ-P1-041"})
    void mergingStopsAtTheFirstWorseScore() {
        Scenario scenario = of(0.9, 0.85, 0.8, 0.75).answers(Merger.class, merged(0.91), merged(0.89));

        Phase1Result result = scenario.play(new InitialSolution());

        assertThat(scenario.asked(Merger.class)).containsExactly(
                new Merger("fit('m0')\n# score 0.9", "fit('m1')\n# score 0.85", trial(0.9, 3.0),
                        trial(0.85, 3.0)),
                new Merger("fit_both()\n# score 0.91", "fit('m2')\n# score 0.8", trial(0.91, 3.0),
                        trial(0.8, 3.0)));
        assertThat(result.initialScore()).isEqualTo(0.91);
    }

    @Test
    @Requirement({"REQ-P1-015", "REQ-P1-017", "REQ-P1-026"})
    void equalScoreReplacesTheBaseAndMergingGoesOn() {
        Scenario scenario =
                of(0.85, 0.8, 0.7).answers(Merger.class, code("fit_a()\n# score 0.85"), code("fit_b()\n# score 0.85"));

        assertThat(scenario.play(new InitialSolution()).initialSolution())
                .isEqualTo(scriptOf("fit_b()\n# score 0.85", SolutionPhase.MERGED, 0.85, true, null).by("phase1/merge2")
                        .ranFor(3));
        assertThat(scenario.asked(Merger.class)).extracting(Merger::baseCode)
                .containsExactly("fit('m0')\n# score 0.85", "fit_a()\n# score 0.85");
    }

    @ParameterizedTest
    @ValueSource(strings = {Texts.NO_CODE, "```python\n# score 0.99\n# crash late\n```",
        "```python\nprint('no score')\n```"})
    @Requirement("REQ-P1-028")
    void mergeThatFailsEndsTheLoopAndTheBaseStays(String answer) {
        Scenario scenario = of(0.9, 0.8, 0.7).answers(Merger.class, answer);

        assertThat(scenario.play(new InitialSolution()).initialSolution().content())
                .isEqualTo("fit('m0')\n# score 0.9");
        assertThat(scenario.asked(Merger.class)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"candidate1, m0", "candidate1/evaluation/script, m0", "merge1, m0", "merge1/evaluation/script, m0",
        "data, merged"})
    @Requirement("REQ-OR-030")
    void whenTheRunHasToFinishTheBestSoFarIsGivenBack(String from, String expected) {
        Scenario scenario = of(0.9, 0.8).answers(Merger.class, merged(0.95)).stopFrom(from);

        SolutionScript s0 = scenario.play(new InitialSolution()).initialSolution();

        assertThat(s0.sourceModel() == null ? "merged" : s0.sourceModel()).isEqualTo(expected);
        assertThat(s0.score().value()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"retriever", "candidate0", "candidate0/evaluation/script"})
    @Requirement("REQ-OR-030")
    void withoutAnyScoreThePhaseIsStoppedNotFailed(String from) {
        Scenario scenario = of(0.9, 0.8).stopFrom(from);

        assertThat(scenario.outcome(new InitialSolution()))
                .isEqualTo(new Outcome.Stopped<Phase1Result>("made to stop"));
        assertThat(scenario.asked(RunScript.class)).isEmpty();
    }

    private Phase1Result play() {
        return scenario.play(new InitialSolution());
    }

    @Test
    @Requirement({"REQ-P1-030", "REQ-P1-031", "REQ-P1-042", "REQ-SF-026", "REQ-SF-030"})
    void solutionThatUsesEverythingIsAskedOnceForDataThenForLeakageAndNotRunAgain() {
        assertThat(play().initialSolution()).isEqualTo(UNREVISED);
        assertThat(scenario.asked(Data.class)).containsExactly(new Data(MERGED, "Predict y."));
        assertThat(scenario.asked(Leakage.class).getLast()).isEqualTo(new Leakage(MERGED));
        assertThat(scenario.leaves()).endsWith("merge1/evaluation/script", "data", "leakage");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.95, 0.4})
    @Requirement({"REQ-P1-030", "REQ-P1-031", "REQ-P1-033", "REQ-P1-042", "REQ-SF-027"})
    void revisionReplacesTheSolutionEvenIfItScoresWorse(double score) {
        String revised = "fit_with_all_data()\n# score " + score;
        scenario.answers(Data.class, code(revised));

        Phase1Result result = play();

        assertThat(result.initialSolution())
                .isEqualTo(
                        scriptOf(revised, SolutionPhase.MERGED, score, true, null).by("phase1/evaluation").ranFor(3));
        assertThat(result.initialScore()).isEqualTo(score);
        assertThat(scenario.leaves()).endsWith("data", "evaluation/leakage", "evaluation/script");
        assertThat(scenario.asked(Leakage.class).getLast().code()).isEqualTo(revised);
    }

    @ParameterizedTest
    @ValueSource(strings = {"# crash broken", "# timeout", "print('no score')"})
    @Requirement({"REQ-P1-030", "REQ-P1-031", "REQ-P1-033", "REQ-P1-042", "REQ-SF-008"})
    void revisionThatCannotBeScoredIsDroppedAndTheSolutionCheckedForLeakage(String revision) {
        scenario.answers(Data.class, code(revision));

        assertThat(play().initialSolution()).isEqualTo(UNREVISED);
        assertThat(scenario.leaves()).endsWith("leakage");
        assertThat(scenario.asked(Leakage.class).getLast()).isEqualTo(new Leakage(MERGED));
    }

    @ParameterizedTest
    @CsvSource({"# score 0.85, 0.85", "# score 0.95, 0.95", "# crash broken, 0.9"})
    @Requirement({"REQ-P1-031", "REQ-P1-033", "REQ-SF-008"})
    void leakFoundAtTheEndIsCorrectedAndTheNewScoreReportedUnlessTheCorrectionDoesNotRun(String correction,
            double score) {
        scenario.answerAt("leakage", leaks(MERGED)).answers(LeakageCorrection.class,
                code("fit_clean()\n" + correction));

        Phase1Result result = play();

        assertThat(result.initialSolution().content()).isEqualTo(score == 0.9 ? MERGED : "fit_clean()\n" + correction);
        assertThat(result.initialScore()).isEqualTo(score);
        assertThat(scenario.leaves()).containsSubsequence("data", "leakage", "leakage-correction",
                "evaluation/leakage", "evaluation/script");
    }

    @Test
    @Requirement({"REQ-SF-039", "REQ-P1-031"})
    void unreadableDataAnswerOrAnAgentOutOfReachLeavesTheSolution() {
        scenario.answers(Data.class, "I am not sure what you want.");
        assertThat(play().initialSolution().content()).isEqualTo(MERGED);

        Scenario unreachable = of(0.8).fail("data");
        assertThat(unreachable.play(new InitialSolution()).initialScore()).isEqualTo(0.8);
        assertThat(unreachable.leaves()).endsWith("data", "leakage");
    }

    @ParameterizedTest
    @ValueSource(strings = {"evaluation", "evaluation/leakage", "evaluation/script"})
    @Requirement("REQ-OR-030")
    void withoutTimeForTheRevisionTheSolutionStays(String from) {
        scenario.answers(Data.class, code("fit_with_all_data()\n# score 0.99")).stopFrom(from);

        assertThat(play().initialScore()).isEqualTo(0.9);
    }
}

package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.plans;
import static io.mlestar.core.task.Examples.scriptOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Ablation;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.EnsPlanner;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.agent.Extractor;
import io.mlestar.core.agent.Init;
import io.mlestar.core.agent.Merger;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.task.Results.BetterScript;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A small run: one model scores 0.8, path 0 reaches 0.85, path 1 reaches 0.9, the ensemble 0.95.
class PipelineTest {
    private static final String BLOCK = "fit()\n# score 0.8";
    private static final SolutionScript S0 =
            scriptOf("load()\n" + BLOCK, SolutionPhase.INIT, 0.8, true, "m").by("phase1/candidate0").ranFor(3);

    private final Scenario scenario = scenario(Map.of());

    private static Scenario scenario(Map<String, ?> changes) {
        Map<String, Object> config =
                new HashMap<>(Map.of("num_retrieved_models", 1, "outer_loop_steps", 1, "inner_loop_steps", 1,
                        "num_parallel_solutions", 2, "ensemble_rounds", 1, "max_debug_attempts", 1));
        config.putAll(changes);
        return new Scenario(config).answers(Retriever.class, Texts.models("m")).answers(Init.class, code(S0.content()))
                .answer(Ablation.class, asked -> code("# prints findings")).answer(Summarize.class, asked -> "Summary.")
                .answer(Extractor.class, asked -> plans(asked.solutionScript().substring("load()\n".length())))
                .answer(Planner.class, asked -> "Another plan.")
                .answer(Coder.class, asked -> code("worse()\n# score 0.1"))
                .answerAt("phase2-path0/block0/attempt0/coder", code("a()\n# score 0.85"))
                .answerAt("phase2-path1/block0/attempt0/coder", code("b()\n# score 0.9"))
                .answer(EnsPlanner.class, asked -> "Average.")
                .answer(Ensembler.class, asked -> code("mean()\n# score 0.95"))
                .answer(TestSubmission.class, asked -> code("# submits 7"));
    }

    private Pipeline.Result play() {
        return scenario.play(new Pipeline());
    }

    private static List<String> steps(Scenario scenario) {
        return scenario.phases().stream().filter(path -> !path.contains("/")).toList();
    }

    @Test
    @Requirement({"REQ-OR-012", "REQ-OR-013", "REQ-OR-014", "REQ-OR-016", "REQ-OR-017", "REQ-OR-018", "REQ-OR-019",
        "REQ-OR-020", "REQ-OR-036"})
    void eachPhaseHandsItsBestToTheNextAndOnlyThePathsRunInParallel() {
        Pipeline.Result solved = play();

        assertThat(steps(scenario)).containsExactly("survey", "phase1", "phase2-path0", "phase2-path1", "phase3",
                "finalization");
        assertThat(scenario.together()).containsExactly(
                List.of("survey/machine", "survey/data-card"), List.of("phase2-path0", "phase2-path1"));
        assertThat(scenario.asked(Refinement.class)).containsExactly(new Refinement(0, S0), new Refinement(1, S0));
        assertThat(scenario.asked(Ensemble.class).getFirst().solutions()).extracting(script -> script.score().value())
                .containsExactly(0.85, 0.9);
        assertThat(scenario.asked(Finalization.class).getFirst().solution())
                .isEqualTo(scriptOf("mean()\n# score 0.95", SolutionPhase.ENSEMBLE, 0.95, true, null)
                        .by("phase3/round0").ranFor(3));
        assertThat(solved.phase1().initialSolution()).isEqualTo(S0);
        assertThat(solved.phase2Results()).extracting(Phase2Result::bestScore).containsExactly(0.85, 0.9);
        assertThat(solved.phase3().bestEnsembleScore()).isEqualTo(0.95);
        assertThat(solved.chosen().score().value()).isEqualTo(0.95);
        assertThat(solved.finalSolution().phase()).isEqualTo(SolutionPhase.FINAL);
        assertThat(solved.submission().rowCount()).isEqualTo(7);
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "phase3", "finalization");
    }

    @Test
    @Requirement("REQ-OR-039")
    void finalScriptIsTracedBackThroughAllPhases() {
        Scenario two = scenario(Map.of("num_retrieved_models", 2)).answers(Retriever.class, Texts.models("m", "n"))
                .answers(Init.class, code(S0.content()), Texts.NO_CODE);

        assertThat(two.play(new Pipeline()).lineage()).containsExactly(
                "phase1: candidate m: score 0.8",
                "phase1: candidate n: no score",
                "phase1: initial solution, from m: score 0.8",
                "phase2-path0: block0, attempt0: score 0.85",
                "phase2-path1: block0, attempt0: score 0.9",
                "phase2: best solution, of path1: score 0.9",
                "phase3: round0 combined 2 solutions: score 0.95",
                "finalization: subsampling not found; submission written by a script of 11 characters, made of one of 19");
    }

    @Test
    @Requirement({"REQ-OR-039", "REQ-OR-040"})
    void mergedStartFailedPathAndMissingSubmissionAreSaid() {
        Scenario merging = scenario(Map.of("num_retrieved_models", 2, "num_parallel_solutions", 1))
                .answers(Retriever.class, Texts.models("m", "n"))
                .answers(Init.class, code(S0.content()), code("fit(n)\n# score 0.7"))
                .answers(Merger.class, code("both()\n# score 0.82")).fail("phase2-path0")
                .answer(TestSubmission.class, asked -> Texts.NO_CODE);

        assertThat(merging.play(new Pipeline()).lineage()).containsSubsequence(
                "phase1: initial solution, merged: score 0.82",
                "phase2-path0: failed; the initial solution stands for it",
                "phase2: best solution, of path0: score 0.82",
                "finalization: subsampling not found; no submission: the test agent gave no submission script");
    }

    @Test
    @Requirement({"REQ-OR-015", "REQ-P3-018", "REQ-OR-045"})
    void singlePathIsFinalizedWithoutAnEnsemble() {
        Scenario single = scenario(Map.of("num_parallel_solutions", 1));

        Pipeline.Result solved = single.play(new Pipeline());

        assertThat(steps(single)).containsExactly("survey", "phase1", "phase2-path0", "finalization");
        assertThat(solved.phase3()).isNull();
        assertThat(solved.chosen().score().value()).isEqualTo(0.85);
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "finalization");
    }

    @Test
    @Requirement({"REQ-OR-014", "REQ-OR-022", "REQ-OR-040"})
    void failedPathIsReplacedByTheInitialSolutionAndTheOtherGoesOn() {
        scenario.fail("phase2-path0");

        Pipeline.Result solved = play();

        assertThat(scenario.asked(Ensemble.class).getFirst().solutions()).extracting(script -> script.score().value())
                .containsExactly(0.8, 0.9);
        assertThat(solved.phase2Results()).extracting(Phase2Result::failed).containsExactly(true, false);
        assertThat(solved.phase2Results().getFirst().bestSolution()).isEqualTo(S0);
        assertThat(solved.completed()).contains("phase2");
    }

    @Test
    @Requirement({"REQ-OR-022", "REQ-OR-040", "REQ-OR-043"})
    void ifAllPathsFailTheEnsembleGetsTheInitialSolutionForEach() {
        scenario.fail("phase2-path0", "phase2-path1");

        Pipeline.Result solved = play();

        assertThat(scenario.asked(Ensemble.class)).containsExactly(new Ensemble(List.of(S0, S0)));
        assertThat(solved.completed()).containsExactly("phase1", "phase3", "finalization");
    }

    @ParameterizedTest
    @CsvSource({"false, 0.9", "true, 0.8"})
    @Requirement({"REQ-OR-041", "REQ-OR-043"})
    void ifTheEnsembleFailsTheBestPathIsFinalized(boolean lower, double expected) {
        scenario.fail("phase3");
        if (lower) {
            scenario.minimize();
        }

        Pipeline.Result solved = play();

        assertThat(scenario.asked(Finalization.class).getFirst().solution().score().value()).isEqualTo(expected);
        assertThat(solved.phase3()).isNull();
        assertThat(solved.chosen().score().value()).isEqualTo(expected);
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "finalization");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/final-solutions.csv", delimiter = '|', nullValues = "null", numLinesToSkip = 1)
    @Requirement({"REQ-P3-025", "REQ-OR-039"})
    void settingSaysWhetherABetterPathIsFinalizedInsteadOfTheEnsemble(String choice, double ensemble,
            SolutionPhase phase, double chosen, Double better) {
        Scenario choosing = scenario(choice == null ? Map.of() : Map.of("final_solution", choice))
                .answer(Ensembler.class, asked -> code("mean()\n# score " + ensemble));

        Pipeline.Result solved = choosing.play(new Pipeline());

        assertThat(solved.chosen().score().value()).isEqualTo(chosen);
        assertThat(choosing.asked(Finalization.class).getFirst().solution().phase()).isEqualTo(phase);
        assertThat(solved.betterScript()).isEqualTo(better == null ? null : new BetterScript("phase2-path1", better));
        assertThat(solved.lineage().stream().filter(line -> line.contains("alone is better"))).isEqualTo(
                phase == SolutionPhase.ENSEMBLE || ensemble == chosen ? List.of()
                        : List.of("phase3: that input alone is better, and was chosen: score 0.9"));
        assertThat(solved.lineage().contains("phase3: that input alone is as good, and was chosen: score 0.9"))
                .isEqualTo(phase == SolutionPhase.REFINED && ensemble == chosen);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement("REQ-OR-043")
    void ifFinalizationFailsTheBestSolutionIsGivenBackWithoutASubmission(boolean failing) {
        Pipeline.Result solved =
                (failing ? scenario.fail("finalization") : scenario.stop("finalization")).play(new Pipeline());

        assertThat(solved.finalSolution().score().value()).isEqualTo(0.95);
        assertThat(solved.submission()).isNull();
        assertThat(solved.submissionFailure())
                .isEqualTo(failing ? "finalization failed: made to fail" : "finalization was left out: made to stop");
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "phase3");
    }

    @Test
    @Requirement("REQ-OR-042")
    void withoutPhase1TheRunFailsWithItsReason() {
        scenario.answers(Init.class, Texts.NO_CODE);

        assertThat(scenario.outcome(new Pipeline()))
                .isEqualTo(new Outcome.Failed<Pipeline.Result>(
                        "phase1: Phase 1 failed: none of the 1 candidates has a score:"
                                + " m: init: no code in the answer; the answer began: " + Texts.NO_CODE));
        assertThat(steps(scenario)).containsExactly("survey", "phase1");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/stopped-runs.csv", delimiter = '|', numLinesToSkip = 1)
    @Requirement({"REQ-OR-030", "REQ-OR-043"})
    void runThatIsStoppedLaterFinalizesTheBestSoFarAndNamesWhatEndedAsPlanned(String from, double best,
            String completed) {
        Pipeline.Result solved = scenario.stopFrom(from).play(new Pipeline());

        assertThat(solved.chosen().score().value()).isEqualTo(best);
        assertThat(scenario.asked(Finalization.class).getFirst().solution().score().value()).isEqualTo(best);
        assertThat(solved.submission()).isNotNull();
        assertThat(solved.completed()).containsExactly(completed.split(" "));
    }
}

package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.plans;
import static io.mlestar.core.task.Examples.scriptOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Ablation;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Extractor;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.CodeBlock;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Algorithm 2, lines 1 to 8: the ablation study, the choice of the block, and the outer loop.
class OuterStepTest {
    private static final String BLOCK = "fit('linear')\n# score 0.8";
    private static final SolutionScript SOLUTION =
            SolutionScript.unscored("load()\n" + BLOCK, SolutionPhase.MERGED).scored(Score.printed(0.8)).ranFor(273);
    private static final String STUDY = "compare()\n# prints Baseline: 0.8, without scaling: 0.7";
    private static final String SUMMARY = "Scaling matters most.";
    private static final SolutionScript INITIAL =
            SolutionScript.unscored("load()\nfit()\n# score 0.82", SolutionPhase.MERGED).scored(Score.printed(0.82));

    private final Scenario scenario = scenario(Map.of("inner_loop_steps", 1));

    private static Scenario scenario(Map<String, ?> config) {
        return new Scenario(config).answer(Ablation.class, asked -> code(STUDY))
                .answer(Summarize.class, asked -> SUMMARY).answer(Extractor.class, asked -> plans(BLOCK))
                .answer(Coder.class, asked -> code("fit('trees')\n# score 0.85"));
    }

    private static OuterStep step() {
        return new OuterStep(0, 2, SOLUTION, List.of("First.", "Second."), List.of("old_block()"));
    }

    private OuterStep.Result play() {
        return scenario.play(step());
    }

    @Test
    @Requirement({"REQ-P2O-003", "REQ-P2O-010", "REQ-P2O-016", "REQ-P2O-019", "REQ-P2O-022", "REQ-P2O-023",
        "REQ-P2O-026", "REQ-P2O-027", "REQ-P2O-030", "REQ-P2O-033", "REQ-P2O-040"})
    void asksInTheOrderOfAlgorithm2WithWhatTheStepsBeforeFoundOut() {
        OuterStep.Result stepped = play();

        assertThat(scenario.leaves()).containsExactly("ablation", "script", "summarize", "extractor",
                "attempt0/coder", "attempt0/evaluation/leakage", "attempt0/evaluation/script");
        assertThat(stepped.solution().content()).isEqualTo("load()\nfit('trees')\n# score 0.85");
        assertThat(stepped.record()).isEqualTo(new StepRecord(2, SUMMARY, BLOCK, "Improve " + BLOCK,
                List.of(new RefinementAttempt("Improve " + BLOCK, 0.85, "fit('trees')\n# score 0.85", true, null)),
                0.85, false, false, true, List.of(new Decision("phase2-path0/block2/attempt0", Score.printed(0.85),
                        List.of(), Rival.of(SOLUTION), true))));
        assertThat(scenario.asked(Ablation.class))
                .containsExactly(new Ablation(SOLUTION.content(), List.of("First.", "Second."), SOLUTION.trial()));
        assertThat(scenario.asked(Summarize.class))
                .containsExactly(new Summarize(STUDY, "Baseline: 0.8, without scaling: 0.7\n"));
        assertThat(scenario.asked(Extractor.class))
                .containsExactly(
                        new Extractor(SOLUTION.content(), SUMMARY, List.of("old_block()"), false, SOLUTION.trial()));
    }

    @ParameterizedTest
    @CsvSource({"86400, 4, 600", "4000, 4, 500", "4, 4, 1"})
    @Requirement({"REQ-P2O-020", "REQ-P2O-035"})
    void studyIsRunWithATimeoutOfItsOwn(int limit, int steps, int timeout) {
        Scenario limited =
                scenario(Map.of("inner_loop_steps", 1, "time_limit_seconds", limit, "outer_loop_steps", steps));

        limited.play(step());

        assertThat(limited.asked(RunScript.class).getFirst()).isEqualTo(new RunScript(STUDY, Kind.ABLATION, timeout));
    }

    @Test
    @Requirement({"REQ-P2O-004", "REQ-P2O-020", "REQ-P2O-021"})
    void studyThatFailsOnceIsRepairedWithoutScoreLineOrLeakageCheck() {
        scenario.answers(Ablation.class, code("compare()\n# crash once")).answers(Debugger.class, code(STUDY));

        play();

        assertThat(scenario.leaves()).startsWith("ablation", "script", "debugger", "script-2", "summarize",
                "extractor");
        assertThat(scenario.asked(Debugger.class).getFirst().kind()).isEqualTo(Kind.ABLATION);
        assertThat(scenario.asked(Summarize.class))
                .containsExactly(new Summarize(STUDY, "Baseline: 0.8, without scaling: 0.7\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"```python\n# prints half\n# crash always\n```", "```python\n# timeout\n```", Texts.NO_CODE})
    @Requirement({"REQ-P2O-021", "REQ-P2O-025"})
    void extractorGoesOnWithoutASummaryIfTheStudyFails(String study) {
        scenario.answers(Ablation.class, study).answer(Debugger.class, asked -> code(asked.code() + "#"));

        OuterStep.Result stepped = play();

        assertThat(scenario.asked(Debugger.class)).hasSizeLessThanOrEqualTo(3);
        assertThat(scenario.asked(Summarize.class)).isEmpty();
        assertThat(scenario.asked(Extractor.class).getFirst().ablationSummary())
                .isEqualTo("The ablation study failed for this step. Earlier studies found:\n\nFirst.\n\nSecond.");
        assertThat(stepped.record().ablationSummary()).isEmpty();
        assertThat(stepped.studyFailure()).isNotEmpty();
        assertThat(stepped.record().wasSkipped()).isFalse();
    }

    @Test
    @Requirement({"REQ-P2O-021", "REQ-P2O-035"})
    void whatAStudyPrintedBeforeItsTimeWasUpIsItsOutput() {
        scenario.answers(Ablation.class, code("# prints half of it\n# timeout")).answer(Debugger.class,
                asked -> Texts.NO_CODE);

        OuterStep.Result stepped = play();

        assertThat(scenario.asked(Summarize.class)).extracting(Summarize::rawResult).containsExactly("half of it\n");
        assertThat(stepped.record().ablationSummary()).isEqualTo(SUMMARY);
        assertThat(stepped.studyFailure()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"'', 10", "'  ', 3000"})
    @Requirement({"REQ-P2O-011", "REQ-P2O-036"})
    void emptySummaryIsReplacedByTheEndOfTheOutput(String answer, int length) {
        String output = "x".repeat(length);
        scenario.answers(Summarize.class, answer).answers(Ablation.class, code("# prints " + output));

        String summary = play().record().ablationSummary();

        assertThat(summary).isEqualTo("[Auto-summary from raw output] " + "x".repeat(Math.min(length, 1999)) + "\n");
        assertThat(scenario.asked(Extractor.class).getFirst().ablationSummary()).isEqualTo(summary);
    }

    @Test
    @Requirement("REQ-P2O-018")
    void blockThatIsNotFoundIsAskedForAgainWithAReminder() {
        scenario.answers(Extractor.class, plans("fit('forest')"), plans("fit('forest')", BLOCK),
                plans("fit('linear')   \n# score 0.8\n"));

        assertThat(play().record().codeBlock()).isEqualTo(BLOCK);
        assertThat(scenario.asked(Extractor.class)).extracting(Extractor::blockNotFound).containsExactly(false, true,
                true);
        assertThat(scenario.asked(Extractor.class))
                .extracting(asked -> asked.variables(scenario.context()).get("reminder"))
                .containsExactly("", reminder(), reminder());
    }

    private static String reminder() {
        return "The previously extracted code block was not found in the solution."
                + " Please extract the code block exactly as it appears in the script.";
    }

    @Test
    @Requirement("REQ-P2O-018")
    void afterTheLastQuestionAnyPlanWhoseBlockIsThereWillDo() {
        scenario.answers(Extractor.class, plans("v()"), plans("w()"), plans("x()", "y()", BLOCK, "load()"));

        assertThat(play().record().plan()).isEqualTo("Improve " + BLOCK);
        assertThat(scenario.asked(Extractor.class)).hasSize(3);
    }

    @Test
    @Requirement({"REQ-P2O-018", "REQ-P2O-022", "REQ-P2O-030"})
    void stepIsSkippedIfNoBlockIsThereAndItsFindingsAreKept() {
        scenario.answer(Extractor.class, asked -> plans("v()", "w()"));

        assertThat(play()).isEqualTo(new OuterStep.Result(StepRecord.skipped(2, SUMMARY, 0.8, false), SOLUTION, null,
                "no block that the extractor named is in the script"));
        assertThat(scenario.leaves()).endsWith("summarize", "extractor", "extractor-2", "extractor-3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {Texts.NOT_JSON, "", "{\"plans\": []}", """
                    {"plans": [{"code_block": "", "plan": "p"}]}"""})
    @Requirement({"REQ-P2O-034", "REQ-P2O-030"})
    void twoMalformedAnswersSkipTheStep(String answer) {
        scenario.answer(Extractor.class, asked -> answer);

        OuterStep.Result stepped = play();

        assertThat(stepped).isEqualTo(new OuterStep.Result(StepRecord.skipped(2, "", 0.8, false), SOLUTION, null,
                "the extractor gave no readable answer"));
        assertThat(scenario.leaves()).endsWith("extractor", "extractor-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ablation", "script", "summarize", "extractor"})
    @Requirement("REQ-OR-030")
    void stepWithoutTimeToChooseABlockIsStopped(String from) {
        assertThat(scenario.stopFrom(from).outcome(step()))
                .isEqualTo(new Outcome.Stopped<OuterStep.Result>("made to stop"));
    }

    @Test
    @Requirement("REQ-OR-030")
    void attemptsMadeBeforeTheStopAreKept() {
        OuterStep.Result stepped = scenario(Map.of("inner_loop_steps", 3)).stopFrom("attempt1").play(step());

        assertThat(stepped.solution().score().value()).isEqualTo(0.85);
        assertThat(stepped.record().innerLoopAttempts()).hasSize(1);
        assertThat(stepped.record().wasSkipped()).isFalse();
    }

    private static Phase2Result refined(Scenario loop) {
        return loop.play(new Refinement(1, INITIAL));
    }

    /// Three steps: each takes up the whole script but its first line, and writes another one.
    private static Scenario loop(Object... scores) {
        AtomicInteger summaries = new AtomicInteger();
        return new Scenario(Map.of("outer_loop_steps", 3, "inner_loop_steps", 1))
                .answer(Ablation.class, asked -> code("# prints findings"))
                .answer(Summarize.class, asked -> "Summary " + summaries.getAndIncrement())
                .answer(Extractor.class, asked -> plans(asked.solutionScript().substring("load()\n".length())))
                .answers(Coder.class,
                        Arrays.stream(scores).map(score -> code("better()\n# score " + score)).toArray(String[]::new));
    }

    @Test
    @Requirement({"REQ-P2O-019", "REQ-P2O-024", "REQ-P2O-027", "REQ-P2O-040", "REQ-P2O-041"})
    void eachStepStartsFromTheBestSoFar() {
        Scenario loop = loop(0.85, 0.8, 0.9);

        Phase2Result result = refined(loop);

        assertThat(loop.phases()).containsSubsequence("block0", "block0/attempt0", "block1", "block1/attempt0",
                "block2");
        assertThat(loop.asked(OuterStep.class)).extracting(step -> step.solution().content())
                .containsExactly(INITIAL.content(), "load()\nbetter()\n# score 0.85", "load()\nbetter()\n# score 0.85");
        assertThat(loop.asked(OuterStep.class)).extracting(step -> step.solution().score().value())
                .containsExactly(0.82, 0.85, 0.85);
        assertThat(result.bestScore()).isEqualTo(0.9);
        assertThat(result.bestSolution())
                .isEqualTo(
                        scriptOf("load()\nbetter()\n# score 0.9", SolutionPhase.REFINED, 0.9, true, null)
                                .by("phase2-path1/block2/attempt0").ranFor(3));
    }

    @Test
    @Requirement({"REQ-P2O-022", "REQ-P2O-023", "REQ-P2O-028", "REQ-P2O-044"})
    void summariesAndBlocksAddUpAndAreHandedToTheNextSteps() {
        Scenario loop = loop(0.83, 0.84, 0.85);

        Phase2Result result = refined(loop);

        assertThat(loop.asked(Ablation.class)).extracting(Ablation::previousAblations)
                .containsExactly(List.of(), List.of("Summary 0"), List.of("Summary 0", "Summary 1"));
        assertThat(loop.asked(Extractor.class)).extracting(Extractor::previousCodeBlocks).containsExactly(
                List.of(), List.of("fit()\n# score 0.82"), List.of("fit()\n# score 0.82", "better()\n# score 0.83"));
        assertThat(result.ablationSummaries()).containsExactly("Summary 0", "Summary 1", "Summary 2");
        assertThat(result.refinedBlocks()).containsExactly(new CodeBlock("fit()\n# score 0.82", null, 0),
                new CodeBlock("better()\n# score 0.83", null, 1), new CodeBlock("better()\n# score 0.84", null, 2));
    }

    @Test
    @Requirement({"REQ-P2O-018", "REQ-P2O-023", "REQ-P2O-025", "REQ-P2O-034"})
    void skippedStepLeavesPlaceholdersAndTheLoopGoesOn() {
        Scenario loop = loop(0.85, 0.9);
        loop.answerAt("block1/extractor", Texts.NOT_JSON).answerAt("block1/extractor-2", Texts.NOT_JSON);

        Phase2Result result = refined(loop);

        assertThat(result.bestScore()).isEqualTo(0.9);
        assertThat(result.ablationSummaries()).containsExactly("Summary 0", "", "Summary 2");
        assertThat(result.refinedBlocks().get(1)).isEqualTo(new CodeBlock("", null, 1));
        assertThat(result.stepHistory().get(1)).isEqualTo(StepRecord.skipped(1, "", 0.85, false));
        assertThat(loop.asked(Extractor.class).getLast().previousCodeBlocks()).containsExactly("fit()\n# score 0.82");
    }

    @Test
    @Requirement({"REQ-P2O-025", "REQ-P2O-030"})
    void stepThatFailsAsAWholeIsSkipped() {
        Scenario loop = loop(0.85, 0.9);
        loop.fail("block1");
        Phase2Result result = refined(loop);
        assertThat(result.stepHistory()).extracting(StepRecord::wasSkipped).containsExactly(false, true, false);
        assertThat(result.failed()).isFalse();
    }

    @Test
    @Requirement({"REQ-P2O-027", "REQ-P2O-029", "REQ-P2O-041", "REQ-P2O-043"})
    void withoutImprovementTheInitialSolutionStands() {
        Scenario loop = loop(0.8, 0.5, 0.1);
        Phase2Result result = refined(loop);
        assertThat(result.bestSolution()).isEqualTo(INITIAL);
        assertThat(result.bestScore()).isEqualTo(0.82);
    }

    @ParameterizedTest
    @ValueSource(strings = {"block1", "block1/ablation", "block1/script", "block1/summarize", "block1/extractor"})
    @Requirement("REQ-OR-030")
    void aLoopThatIsStoppedGivesBackTheBestSoFar(String from) {
        Scenario loop = loop(0.9);
        loop.stopFrom(from);

        Phase2Result result = refined(loop);

        assertThat(result.bestScore()).isEqualTo(0.9);
        assertThat(result.stepHistory()).hasSize(1);
        assertThat(result.failed()).isFalse();
    }
}

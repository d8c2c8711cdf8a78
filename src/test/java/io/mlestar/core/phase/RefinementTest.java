package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.plans;
import static io.mlestar.core.task.Examples.scriptOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Ablation;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Extractor;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.task.CodeBlock;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Algorithm 2, the outer loop: each step takes up the whole script but its first line, and writes
/// another one.
class RefinementTest {
    private static final SolutionScript INITIAL =
            SolutionScript.unscored("load()\nfit()\n# score 0.82", SolutionPhase.MERGED).scored(Score.printed(0.82));

    private Scenario scenario = scenario(3);
    private final AtomicInteger summaries = new AtomicInteger();

    private Scenario scenario(int steps) {
        return new Scenario(Map.of("outer_loop_steps", steps, "inner_loop_steps", 1))
                .answer(Ablation.class, asked -> code("# prints findings"))
                .answer(Summarize.class, asked -> "Summary " + summaries.getAndIncrement())
                .answer(Extractor.class, asked -> plans(block(asked.solutionScript())));
    }

    private static String block(String script) {
        return script.substring("load()\n".length());
    }

    private Scenario coderScores(Object... scores) {
        return scenario.answers(Coder.class,
                Arrays.stream(scores).map(score -> code("better()\n# score " + score)).toArray(String[]::new));
    }

    private Phase2Result play() {
        return scenario.play(new Refinement(1, INITIAL));
    }

    @Test
    @Requirement({"REQ-P2O-019", "REQ-P2O-024", "REQ-P2O-027", "REQ-P2O-040", "REQ-P2O-041"})
    void eachStepStartsFromTheBestSoFar() {
        coderScores(0.85, 0.8, 0.9);

        Phase2Result result = play();

        assertThat(scenario.phases()).containsSubsequence("block0", "block0/attempt0", "block1", "block1/attempt0",
                "block2");
        assertThat(scenario.asked(OuterStep.class)).extracting(step -> step.solution().content())
                .containsExactly(INITIAL.content(), "load()\nbetter()\n# score 0.85", "load()\nbetter()\n# score 0.85");
        assertThat(scenario.asked(OuterStep.class)).extracting(step -> step.solution().score().value())
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
        coderScores(0.83, 0.84, 0.85);

        Phase2Result result = play();

        assertThat(scenario.asked(Ablation.class)).extracting(Ablation::previousAblations)
                .containsExactly(List.of(), List.of("Summary 0"), List.of("Summary 0", "Summary 1"));
        assertThat(scenario.asked(Extractor.class)).extracting(Extractor::previousCodeBlocks).containsExactly(
                List.of(), List.of("fit()\n# score 0.82"), List.of("fit()\n# score 0.82", "better()\n# score 0.83"));
        assertThat(result.ablationSummaries()).containsExactly("Summary 0", "Summary 1", "Summary 2");
        assertThat(result.refinedBlocks()).containsExactly(new CodeBlock("fit()\n# score 0.82", null, 0),
                new CodeBlock("better()\n# score 0.83", null, 1), new CodeBlock("better()\n# score 0.84", null, 2));
    }

    @Test
    @Requirement({"REQ-P2O-018", "REQ-P2O-023", "REQ-P2O-025", "REQ-P2O-034"})
    void skippedStepLeavesPlaceholdersAndTheLoopGoesOn() {
        coderScores(0.85, 0.9);
        scenario.answerAt("block1/extractor", Texts.NOT_JSON).answerAt("block1/extractor-2", Texts.NOT_JSON);

        Phase2Result result = play();

        assertThat(result.bestScore()).isEqualTo(0.9);
        assertThat(result.ablationSummaries()).containsExactly("Summary 0", "", "Summary 2");
        assertThat(result.refinedBlocks().get(1)).isEqualTo(new CodeBlock("", null, 1));
        assertThat(result.stepHistory().get(1)).isEqualTo(StepRecord.skipped(1, "", 0.85, false));
        assertThat(scenario.asked(Extractor.class).getLast().previousCodeBlocks())
                .containsExactly("fit()\n# score 0.82");
    }

    @Test
    @Requirement({"REQ-P2O-025", "REQ-P2O-030"})
    void stepThatFailsAsAWholeIsSkipped() {
        coderScores(0.85, 0.9);
        scenario.fail("block1");
        Phase2Result result = play();
        assertThat(result.stepHistory()).extracting(StepRecord::wasSkipped).containsExactly(false, true, false);
        assertThat(result.failed()).isFalse();
    }

    @Test
    @Requirement({"REQ-P2O-027", "REQ-P2O-029", "REQ-P2O-041", "REQ-P2O-043"})
    void withoutImprovementTheInitialSolutionStands() {
        coderScores(0.8, 0.5, 0.1);
        Phase2Result result = play();
        assertThat(result.bestSolution()).isEqualTo(INITIAL);
        assertThat(result.bestScore()).isEqualTo(0.82);
    }

    @ParameterizedTest
    @ValueSource(strings = {"block1", "block1/ablation", "block1/script", "block1/summarize", "block1/extractor"})
    @Requirement("REQ-OR-030")
    void stopGivesBackTheBestSoFar(String from) {
        coderScores(0.9);
        scenario.stopFrom(from);

        Phase2Result result = play();

        assertThat(result.bestScore()).isEqualTo(0.9);
        assertThat(result.stepHistory()).hasSize(1);
        assertThat(result.failed()).isFalse();
    }
}

package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Ablation;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Extractor;
import io.mlestar.core.agent.Init;
import io.mlestar.core.agent.Merger;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Agents that are left out with `brief: true`.
class BriefTest {
    private static final SolutionScript SOLUTION = SolutionScript.unscored("load()\nfit()\n# score 0.8", SolutionPhase.MERGED).scored(0.8);
    private static final String PLAN = "{\"plans\": [{\"code_block\": \"fit()\", \"plan\": \"Fit better.\"}]}";

    private static Scenario brief() {
        return new Scenario(Map.of("brief", true, "inner_loop_steps", 1, "num_retrieved_models", 2));
    }

    @Test
    void theExtractorReadsTheEndOfWhatAStudyPrinted() {
        Scenario scenario = brief().answers(Ablation.class, code("# prints " + "x".repeat(5_000) + " # Scaling matters.")).answers(Extractor.class, PLAN)
                .answers(Coder.class, code("fit_better()"));

        scenario.play(new OuterStep(0, 0, SOLUTION, List.of(), List.of()));

        assertThat(scenario.leaves()).startsWith("ablation", "script", "extractor", "attempt0/coder");
        assertThat(scenario.asked(Extractor.class).getFirst().ablationSummary()).hasSizeLessThan(4_100).startsWith("    xxx")
                .endsWith("x # Scaling matters.\n");
    }

    @Test
    void theFirstSolutionIsNotSearchedForUnusedData() {
        Scenario scenario = brief().answers(Retriever.class, Texts.models("m0", "m1"))
                .answer(Init.class, asked -> code("fit('" + asked.modelName() + "')\n# score 0.8")).answers(Merger.class, code("fit_both()\n# score 0.9"));

        assertThat(scenario.play(new InitialSolution()).initialScore()).isEqualTo(0.9);
        assertThat(scenario.leaves()).endsWith("merge1/evaluation/leakage", "merge1/evaluation/script", "leakage").doesNotContain("data");
    }

    @Test
    void leakageIsCheckedOnlyWhereNoRowsAreHidden() {
        Scenario open = brief();
        Scenario hiding = brief().hideRows();

        open.play(new Evaluation(SOLUTION, Kind.SOLUTION));
        hiding.play(new Evaluation(SOLUTION, Kind.SOLUTION));
        Scenario asked = new Scenario(Map.of()).hideRows();
        asked.play(new Evaluation(SOLUTION, Kind.SOLUTION));

        assertThat(open.leaves()).containsExactly("leakage", "script");
        assertThat(hiding.leaves()).containsExactly("script");
        assertThat(asked.leaves()).containsExactly("leakage", "script");
    }
}

package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.plans;
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
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The paper's h: one function from a solution to its score, which every phase uses.
class ScoreFunctionTest {
    private static final String BLOCK = "fit()\n# score 0.8";

    @Test
    @Requirement({"REQ-DM-026", "REQ-EX-032"})
    void everyPhaseScoresItsSolutionsByIt() {
        Scenario scenario = new Scenario(Map.of("num_retrieved_models", 2, "outer_loop_steps", 1, "inner_loop_steps", 2,
                "num_parallel_solutions", 2, "ensemble_rounds", 1))
                .answers(Retriever.class, Texts.models("a", "b")).answer(Init.class, asked -> code(BLOCK))
                .answer(Merger.class, asked -> code(BLOCK + "5"))
                .answer(Ablation.class, asked -> code("# prints findings")).answer(Summarize.class, asked -> "Summary.")
                .answer(Extractor.class, asked -> plans("fit()")).answer(Planner.class, asked -> "Another plan.")
                .answer(Coder.class, asked -> code("tune()")).answer(EnsPlanner.class, asked -> "Average.")
                .answer(Ensembler.class, asked -> code("mean()\n# score 0.95"))
                .answer(TestSubmission.class, asked -> code("# submits 7"));

        scenario.play(new Pipeline());

        assertThat(scenario.leaves()).filteredOn(path -> path.endsWith("/script"))
                .filteredOn(path -> !path.endsWith("/evaluation/script"))
                .as("scripts that are run but not evaluated")
                .containsExactly("phase2-path0/block0/script", "phase2-path1/block0/script");
        assertThat(scenario.leaves()).filteredOn(path -> path.endsWith("/evaluation/script"))
                .extracting(path -> path.substring(0, path.indexOf('/')))
                .containsOnly("phase1", "phase2-path0", "phase2-path1", "phase3", "finalization");
    }
}

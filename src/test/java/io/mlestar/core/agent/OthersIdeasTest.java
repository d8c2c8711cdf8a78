package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What prompts say of other scripts and other plans of the run.
class OthersIdeasTest {
    @Test
    void extractorThatFuses() {
        assertThat(Given.prompt(Given.FUSION)).contains("Kaggle grandmaster", Given.CODE, "# Another Python solution\n\n```python\nother()\n```",
                "## 1.\n```python\nb = 2\n```",
                "the one idea that promises most", "3-5 sentences", "{\"plans\": [");
        assertThat(Given.prompt(new Fusion("x = 1", "y = 2", List.of(), true, new Trial(0.5, 2.0), new Trial(0.25, null))))
                .contains("task. Your current solution ran for 2 s and scored 0.5. The other one scored 0.25. The last", "was not found in the solution.");
    }

    @Test
    void whatTheRunHasTriedStandsBehindThePrompt() {
        String without = Given.prompt(Given.PLANNER);
        RunContext taught = Given.context(MetricDirection.MAXIMIZE).taught(List.of("phase1/merge1: mean -> 0.1 better than 0.5", "block"),
                List.of("1. 12 of 80 days are in both tables"));
        assertThat(without).doesNotContain("# Tried so far");
        assertThat(Given.PROMPTS.render(Given.PLANNER, taught, Abilities.NONE).text()).startsWith(without + "\n\n# Seen in the data so far\n\n")
                .contains("not instructions.\n\n1. 12 of 80 days are in both tables\n\n\n# Tried so far in this run\n\n")
                .endsWith("\n\n- phase1/merge1: mean -> 0.1 better than 0.5\n- block\n");
    }
}

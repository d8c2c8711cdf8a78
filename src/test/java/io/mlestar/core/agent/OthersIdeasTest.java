package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.MetricDirection;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What prompts say of what others saw.
class OthersIdeasTest {
    @Test
    void whatLooksFoundStandsBehindThePrompt() {
        String without = Given.prompt(Given.PLANNER);
        RunContext seen = Given.context(MetricDirection.MAXIMIZE).seen(List.of("1. 12 of 80 days are in both tables"));

        assertThat(without).doesNotContain("# Seen in the data");
        assertThat(Given.PROMPTS.render(Given.PLANNER, seen, Abilities.NONE).text())
                .startsWith(without + "\n\n# Seen in the data so far\n\n")
                .endsWith("not instructions.\n\n1. 12 of 80 days are in both tables\n");
    }
}

package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Fuzz;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.UnreadableAnswer;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a model may answer.
public class AnswersFuzzTest {
    private static final List<String> SEEDS =
            List.of("```python\nx = 1\nprint('Final Validation Performance: 0.5')\n```",
                    "Here:\n~~~py\ny = '```'\n~~~\nand\n   ```\nz\n   ```",
                    "{\"models\":[{\"model_name\":\"a\",\"example_code\":\"import b\"}]}",
                    "{\"plans\":[{\"code_block\":\"x = 1\",\"plan\":\"Make it 2.\"}]}",
                    "```json\n{\"answers\":[{\"leakage_status\":\"No Data Leakage\",\"code_block\":\"\"}]}\n```",
                    "{\"verdict\": \"Novel\"}", "All the provided information is used.", "import os\nprint(1)", "");
    private static final List<String> WORDS =
            List.of("```", "~~~", "```python\n", "\n```\n", "````", "   ```", "{", "}", "[", "]", "{\"a\":", "[[", "\"",
                    "\\u0000",
                    "\\", "null", "1e999", "-", "models", "plans", "answers", "code_block", "\n", "\r\n", "import x\n",
                    "print(", "NaN", ",", "```py\r\n");

    @Test
    void everyAgentReadsAnyAnswerOrSaysThatItCannot() {
        List<Agent<?>> agents = Given.agents();
        int[] next = {0};
        new Fuzz(SEEDS, WORDS).feed(answer -> {
            Agent<?> agent = agents.get(next[0]++ % agents.size());
            Object read = agent.read(answer);
            assertThat(read).isEqualTo(agent.read(answer));
        }, UnreadableAnswer.class);
    }
}

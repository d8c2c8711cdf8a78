package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the program itself does around a model's answer: the prompt, the reading, the new script.
class OwnTimeTest {
    private static final Duration MOST = Duration.ofMillis(500);
    private static final String SCRIPT = "x = [value * 2 for value in range(100)]  # 50 KB of these\n".repeat(870);
    private static final String ANSWER = "Here it is.\n\n```python\n" + SCRIPT + "```\n";

    static Stream<Agent<?>> agents() {
        return Stream.concat(Given.agents().stream(),
                Stream.of(new Coder(SCRIPT, "Plan.", null, null), new Merger(SCRIPT, SCRIPT, null, null),
                        new Ablation(SCRIPT, List.of("Summary."), null),
                        new Ensembler(List.of(SCRIPT, SCRIPT), null, "Average."),
                        new Debugger(SCRIPT, "Traceback", Kind.SOLUTION, null, null), new Leakage(SCRIPT),
                        new LeakageCorrection(SCRIPT, SCRIPT, "")));
    }

    @ParameterizedTest
    @MethodSource("agents")
    @Requirement({"REQ-P2I-039", "REQ-P2O-031", "REQ-SF-036"})
    void promptAnswerAndScriptTakeHalfASecondAtMost(Agent<?> agent) throws Exception {
        Answer answer = new Answer(ANSWER, new Answer.Usage("made:up", 1, 1, 0, 0.01, 0), null, "", "");
        assertThat(CpuTime.ofThread(() -> {
            assertThat(Given.prompt(agent)).isNotBlank();
            try {
                if (answer.readBy(agent) instanceof Reply.Code(String code)) {
                    assertThat(
                            SolutionScript.unscored(code, SolutionPhase.REFINED).replaceBlock("x = ", "y = ").content())
                            .startsWith("y = ");
                }
            } catch (UnreadableAnswer e) {
                // Of the agents that answer in JSON; finding that this is none is their reading.
            }
        })).isLessThan(MOST);
    }
}

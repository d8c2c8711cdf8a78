package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Brief;
import io.mlestar.core.task.AgentType;
import java.util.Map;

/// A_test: turns the final script into one that writes the submission (Figure 25).
public record TestSubmission(String taskDescription, String finalSolution) implements CodeWriter<Reply.Code> {
    public TestSubmission {
        Invalid.text("task_description", taskDescription);
        Invalid.text("final_solution", finalSolution);
    }

    @Override
    public AgentType type() {
        return AgentType.TEST;
    }

    @Override
    public Map<String, String> variables(Brief brief) {
        return Map.of("task_description", taskDescription, "final_solution", finalSolution);
    }

    @Override
    public Reply.Code read(String answer) {
        return new Reply.Code(Reading.code(answer));
    }
}

package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;

/// A_test: turns the final script into one that writes the submission (Figure 25).
public record TestSubmission(
        String taskDescription,
        String finalSolution) implements CatalogueAgent.OfCode {
    public TestSubmission {
        Invalid.text("task_description", taskDescription);
        Invalid.text("final_solution", finalSolution);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("task_description", taskDescription, "final_solution", finalSolution);
    }
}

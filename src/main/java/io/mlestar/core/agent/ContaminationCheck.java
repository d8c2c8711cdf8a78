package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Answers.DataContaminationResult;
import io.mlestar.core.task.ContaminationVerdict;
import java.util.Map;

/// A_test, contamination_check: is the script a mere copy of a discussion (Figure 28)?
public record ContaminationCheck(
        String referenceDiscussion,
        String finalSolution) implements CatalogueAgent<DataContaminationResult> {
    public ContaminationCheck {
        Invalid.text("reference_discussion", referenceDiscussion);
        Invalid.text("final_solution", finalSolution);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("reference_discussion", referenceDiscussion, "final_solution", finalSolution);
    }

    @Override
    public DataContaminationResult read(String answer) {
        return switch (answer.strip()) {
            case "Novel" -> new DataContaminationResult(ContaminationVerdict.NOVEL);
            case "Same" -> new DataContaminationResult(ContaminationVerdict.SAME);
            default -> Reading.json(answer, DataContaminationResult.class);
        };
    }
}

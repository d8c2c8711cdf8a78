package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;

/// A_init: writes a first script with one retrieved model (Algorithm 1 line 3; Figure 10).
public record Init(String taskDescription, String modelName, String exampleCode) implements CatalogueAgent.OfCode {
    public Init {
        Invalid.text("task_description", taskDescription);
        Invalid.text("model_name", modelName);
        Invalid.text("example_code", exampleCode);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "task_description", ValidationRules.task(context, taskDescription),
                "model_name", modelName,
                "example_code", exampleCode,
                "frameworks", MachineSection.frameworks(context),
                "metric_sentence", ValidationRules.metric(context),
                "ambition", ValidationRules.ambition(context),
                "own_score", ValidationRules.score(context),
                "data", ValidationRules.data(context),
                "subsample_instruction", ValidationRules.subsampling(context));
    }
}

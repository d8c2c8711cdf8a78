package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A_init: writes a first script with one retrieved model (Algorithm 1 line 3; Figure 10).
///
/// @param studied what a study of many kinds of models printed; null if there was none
public record Init(
        String taskDescription,
        String modelName,
        String exampleCode,
        @Nullable String studied) implements CatalogueAgent.OfCode {
    public Init {
        Invalid.text("task_description", taskDescription);
        Invalid.text("model_name", modelName);
        Invalid.text("example_code", exampleCode);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "competition", ValidationRules.competition(context, taskDescription),
                "model_name", modelName,
                "example_code", exampleCode,
                "frameworks", MachineSection.frameworks(context),
                "metric_sentence", ValidationRules.metric(context),
                "ambition", ValidationRules.ambition(context),
                "own_score", ValidationRules.score(context),
                "studied",
                Sections.studied(studied, Prompts.part("study-use")),
                "data", ValidationRules.data(context),
                "subsample_instruction", ValidationRules.subsampling(context));
    }
}

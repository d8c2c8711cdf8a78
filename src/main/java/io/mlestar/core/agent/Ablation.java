package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.List;
import java.util.Map;

/// A_abl: writes an ablation study of a script (Algorithm 2 line 5; Figure 12).
public record Ablation(String solutionScript, List<String> previousAblations) implements CatalogueAgent.OfCode {
    public Ablation {
        Invalid.text("solution_script", solutionScript);
        previousAblations = Invalid.elements("previous_ablations", previousAblations);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "solution_script", solutionScript,
                "time_limit", Integer.toString(context.config().ablationTimeoutSeconds()),
                "previous_ablations", Sections.numbered("Previous ablation studies", previousAblations));
    }
}

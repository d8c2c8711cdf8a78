package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A_abl: writes an ablation study of a script (Algorithm 2 line 5; Figure 12).
///
/// @param trial how the script fared; null if it is not known
public record Ablation(
        String solutionScript,
        List<String> previousAblations,
        @Nullable Trial trial) implements CatalogueAgent.OfCode {
    public Ablation {
        Invalid.text("solution_script", solutionScript);
        previousAblations = Invalid.elements("previous_ablations", previousAblations);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "solution_script", solutionScript,
                "ran", Sections.ran("The script above", trial),
                "time_limit", Integer.toString(context.config().ablationTimeoutSeconds()),
                "previous_ablations",
                Sections.numbered("Previous ablation studies", previousAblations));
    }
}

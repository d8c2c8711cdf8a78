package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A_planner: proposes the next plan for a code block from the plans tried so far (Algorithm 2 line
/// 17; Figure 16).
///
/// @param trial how the script with the block as it stands fared; null if it is not known
/// @param scores of the plans; null where one failed
/// @param repairs how often the debugger changed the script of each plan, and why; null where it
///   did not; empty or null is none
/// @param solutionScript which holds the block; null if it is not known
public record Planner(
        String codeBlock,
        @Nullable Trial trial,
        List<String> plans,
        List<Double> scores,
        List<String> repairs,
        @Nullable String solutionScript) implements CatalogueAgent.OfPlan {
    public Planner {
        Invalid.text("code_block", codeBlock);
        plans = Invalid.elements("plans", plans);
        scores = Invalid.elements("scores", scores);
        if (plans.isEmpty()) {
            throw new Invalid("At least one previous plan is required for A_planner");
        }
        Invalid.sameLength("plans", plans, "scores", scores);
        repairs = Invalid.valuesOf("plans", plans, "repairs", repairs);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "code", Sections.marked(solutionScript, codeBlock),
                "standing", Sections.standing(trial),
                "history",
                Sections.history("Improvement plans you have tried", plans, scores, repairs),
                "better", context.direction().better());
    }
}

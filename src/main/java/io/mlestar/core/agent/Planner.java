package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A_planner: proposes the next plan for a code block from the plans tried so far (Algorithm 2 line 17; Figure 16).
///
/// @param solutionScore score of the solution with the block as it stands; null if it is not known
/// @param scores of the plans; null where one failed
/// @param plansUnderWay plans in flight, which have no score yet; null is none
public record Planner(String codeBlock, @Nullable Double solutionScore, List<String> plans, List<Double> scores,
        List<String> plansUnderWay) implements CatalogueAgent.OfPlan {
    public Planner {
        Invalid.text("code_block", codeBlock);
        plans = Invalid.elements("plans", plans);
        scores = Invalid.elements("scores", scores);
        plansUnderWay = plansUnderWay == null ? List.of() : Invalid.elements("plans_under_way", plansUnderWay);
        if (plans.isEmpty() && plansUnderWay.isEmpty()) {
            throw new Invalid("At least one previous plan is required for A_planner");
        }
        Invalid.sameLength("plans", plans, "scores", scores);
    }

    /// All plans have been tried.
    public Planner(String codeBlock, @Nullable Double solutionScore, List<String> plans, List<Double> scores) {
        this(codeBlock, solutionScore, plans, scores, List.of());
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "code_block", codeBlock,
                "standing", solutionScore == null ? "" : "The solution with this block as it stands scores " + solutionScore + ".\n",
                "history", Sections.history("Improvement plans you have tried", plans, scores, plansUnderWay),
                "better", context.task().metricDirection().better());
    }
}

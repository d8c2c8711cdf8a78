package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.List;
import java.util.Map;

/// A_ens_planner: proposes how to merge the L solutions (Algorithm 3 lines 1 and 5; Figure 17).
///
/// @param solutionScores validation scores of the solutions, null where one has none; empty or null if nothing is known
/// @param scores of the plans; null where one failed
/// @param plansUnderWay plans in flight, which have no score yet; null is none
public record EnsPlanner(List<String> solutions, List<Double> solutionScores, List<String> plans, List<Double> scores,
        List<String> plansUnderWay) implements CatalogueAgent.OfPlan {
    public EnsPlanner {
        solutions = Invalid.elements("solutions", solutions);
        solutionScores = Invalid.scoresOf("solutions", solutions, "solution_scores", solutionScores);
        plans = Invalid.elements("plans", plans);
        scores = Invalid.elements("scores", scores);
        plansUnderWay = plansUnderWay == null ? List.of() : Invalid.elements("plans_under_way", plansUnderWay);
        if (solutions.size() < 2) {
            throw new Invalid("A_ens_planner requires at least 2 solutions for ensembling");
        }
        Invalid.sameLength("plans", plans, "scores", scores);
    }

    /// All plans have been tried.
    public EnsPlanner(List<String> solutions, List<Double> solutionScores, List<String> plans, List<Double> scores) {
        this(solutions, solutionScores, plans, scores, List.of());
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "L", Integer.toString(solutions.size()),
                "solutions", Sections.solutions(solutions, solutionScores),
                "history", Sections.history("Ensemble plans you have tried", plans, scores, plansUnderWay),
                "better", context.task().metricDirection().better());
    }
}

package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.List;
import java.util.Map;

/// A_ens_planner: proposes how to merge the L solutions (Algorithm 3 lines 1 and 5; Figure 17).
///
/// @param trials how the solutions fared; empty or null if nothing is known
/// @param scores of the plans; null where one failed
/// @param repairs how often the debugger changed the script of each plan, and why; null where it
///   did not; empty or null is none
public record EnsPlanner(
        List<String> solutions,
        List<Trial> trials,
        List<String> plans,
        List<Double> scores,
        List<String> repairs) implements CatalogueAgent.OfPlan {
    public EnsPlanner {
        solutions = Invalid.elements("solutions", solutions);
        trials = Invalid.valuesOf("solutions", solutions, "trials", trials);
        plans = Invalid.elements("plans", plans);
        scores = Invalid.elements("scores", scores);
        if (solutions.size() < 2) {
            throw new Invalid("A_ens_planner requires at least 2 solutions for ensembling");
        }
        Invalid.sameLength("plans", plans, "scores", scores);
        repairs = Invalid.valuesOf("plans", plans, "repairs", repairs);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "L", Integer.toString(solutions.size()),
                "solutions", Sections.solutions(solutions, trials),
                "history",
                Sections.history("Ensemble plans you have tried", plans, scores, repairs),
                "better", context.direction().better());
    }
}

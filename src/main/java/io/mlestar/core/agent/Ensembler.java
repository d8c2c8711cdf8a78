package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.List;
import java.util.Map;

/// A_ensembler: carries out an ensemble plan as one program (Algorithm 3 lines 2 and 6; Figure 18).
///
/// @param trials how the solutions fared; empty or null if nothing is known
public record Ensembler(
        List<String> solutions,
        List<Trial> trials,
        String plan) implements CatalogueAgent.OfCode {
    public Ensembler {
        solutions = Invalid.elements("solutions", solutions);
        trials = Invalid.valuesOf("solutions", solutions, "trials", trials);
        if (plan == null || plan.isBlank()) {
            throw new Invalid("A_ensembler requires a non-empty ensemble plan");
        }
        if (solutions.size() < 2) {
            throw new Invalid("A_ensembler requires at least 2 solutions for ensembling");
        }
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "L", Integer.toString(solutions.size()),
                "solutions", Sections.solutions(solutions, trials),
                "own_score", ValidationRules.ensembleScore(context),
                "plan", plan);
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.agent.Merger;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;

/// Algorithm 1, lines 9 and 10: merges one candidate into the base and scores the result.
///
/// @param index rank of the reference among the candidates; the best, 0, is the first base
public record Merge(int index, SolutionScript base, SolutionScript reference) implements Phase<SolutionScript> {
    @Override
    public SolutionScript run(Steps steps) {
        String merged = steps.call(new Merger(base.content(), reference.content(), base.trial(), reference.trial())).code();
        return steps.call(new Evaluation(SolutionScript.unscored(merged, SolutionPhase.MERGED), Kind.SOLUTION)).script()
                .by(InitialSolution.NAME + "/" + name());
    }

    @Override
    public String name() {
        return "merge" + index;
    }

    @Override
    public String title() {
        return "Merge " + index;
    }

    @Override
    public PhaseReport report(SolutionScript result) {
        return PhaseReport.of(result).required().revising(base.content(), result.content());
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.agent.Merger;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.List;

/// Algorithm 1, lines 9 and 10: merges one candidate into the base and scores the result.
///
/// @param index rank of the reference among the candidates; the best, 0, is the first base
public record Merge(
        int index,
        SolutionScript base,
        SolutionScript reference) implements Phase<Merge.Result> {
    /// @param decision whether the script takes the place of the base (line 11)
    public record Result(SolutionScript script, Decision decision) implements PhaseResult {}

    @Override
    public Result run(Steps steps) {
        String merged =
                steps.call(new Merger(base.content(), reference.content(), base.trial(),
                        reference.trial())).code();
        SolutionScript unscored = SolutionScript.unscored(merged, SolutionPhase.MERGED);
        SolutionScript script =
                steps.call(new Evaluation(unscored, Kind.SOLUTION))
                        .script()
                        .by(FirstPhase.NAME + "/" + name());
        boolean takesPlace = Acceptance.of(steps.context()).takesPlace(script, Rival.of(base));
        return new Result(script, Decision.of(script, List.of(base, reference), base, takesPlace));
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
    public PhaseReport report(Result result) {
        return PhaseReport.of(result.script())
                .required()
                .comparedWith(Rival.of(base), result.decision().accepted())
                .revising(base.content(), result.script().content());
    }
}

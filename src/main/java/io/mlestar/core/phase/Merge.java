package io.mlestar.core.phase;

import io.mlestar.core.agent.Merger;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Algorithm 1, lines 9 and 10: merges one candidate into the base and scores the result.
///
/// @param index rank of the reference among the candidates; the best, 0, is the first base
/// @param start the first base; null if this is that
public record Merge(int index, SolutionScript base, SolutionScript reference, Decision.@Nullable Rival start) implements Phase<Merge.Merged> {
    /// The first one.
    public Merge(int index, SolutionScript base, SolutionScript reference) {
        this(index, base, reference, null);
    }

    /// @param decision whether the script takes the place of the base (line 11)
    public record Merged(SolutionScript script, Decision decision) implements PhaseResult {}

    @Override
    public Merged run(Steps steps) {
        String merged = steps.call(new Merger(base.content(), reference.content(), base.trial(), reference.trial())).code();
        Decision.Rival best = Decision.Rival.of(base);
        SolutionScript script = steps.call(new Evaluation(SolutionScript.unscored(merged, SolutionPhase.MERGED), Kind.SOLUTION, best)).script()
                .by(InitialSolution.NAME + "/" + name());
        return new Merged(script,
                new Decision(String.valueOf(script.step()), script.score(), script.validation(), Decision.Source.each(List.of(base, reference)), best,
                        start, Acceptance.of(steps.context()).takesPlace(script, best, start == null ? best : start)));
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
    public PhaseReport report(Merged result) {
        return PhaseReport.of(result.script()).required().comparedWith(Decision.Rival.of(base), result.decision().accepted())
                .revising(base.content(), result.script().content());
    }
}

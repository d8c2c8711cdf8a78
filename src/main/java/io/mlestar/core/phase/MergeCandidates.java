package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Algorithm 1, lines 7 to 17: merges the candidates into the best one, one after the other, until a merge is no better.
///
/// @param ranked at least one candidate, best first
record MergeCandidates(List<SolutionScript> ranked) {
    /// @param solution s_0
    /// @param merges how many were better
    /// @param ended why no more were tried; null if all were
    record Merged(SolutionScript solution, int merges, @Nullable String ended) {}

    Merged run(Steps steps) {
        MetricDirection direction = steps.brief().task().metricDirection();
        SolutionScript s0 = ranked.getFirst();                                                        // line 7
        for (int i = 1; i < ranked.size(); i++) {                                                     // lines 8-17
            Outcome<SolutionScript> merge = steps.outcome(new Merge(i, s0, ranked.get(i)));
            if (!(merge instanceof Outcome.Done<SolutionScript>(var merged) && merged.score() != null
                    && direction.isImprovementOrEqual(merged.score(), s0.knownScore()))) {
                return new Merged(s0, i - 1, "merge " + i + " of " + (ranked.size() - 1) + " " + fault(merge));
            }
            s0 = merged;
        }
        return new Merged(s0, ranked.size() - 1, null);
    }

    /// Why nothing is merged after this.
    private static String fault(Outcome<SolutionScript> merge) {
        return switch (merge) {
            case Outcome.Done<SolutionScript>(var script) -> script.score() == null ? "has no score" : "is no better: " + script.score();
            case Outcome.Failed<SolutionScript>(String reason, boolean unreadable) -> "failed: " + reason;
            case Outcome.Stopped<SolutionScript>(String reason) -> "was left out: " + reason;
        };
    }
}

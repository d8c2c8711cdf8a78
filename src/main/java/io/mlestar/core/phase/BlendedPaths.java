package io.mlestar.core.phase;

import io.mlestar.core.base.Digits;
import io.mlestar.core.step.Arithmetic.ScoredBlend;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.stream.Stream;

/// The share of a new script in a blend of all paths, which counts in the end: a script that is no
/// better alone may still be worth most there.
final class BlendedPaths {
    private static final int DIGITS = 6;

    private BlendedPaths() {}

    /// @param scored the new script
    /// @param bests the best scripts of all paths
    /// @return for the agents of later attempts, in a line; empty if nothing can be said
    static String with(SolutionScript scored, List<SolutionScript> bests, Steps steps) {
        Holdout holdout = steps.context().facts().holdout();
        List<SolutionScript> scripts =
                GreedyEnsemble.blendable(Stream.concat(bests.stream(), Stream.of(scored)).toList());
        if (holdout == null || scripts.size() < 2 || !scripts.contains(scored)
                || scored.score().trusted().isCostly()) {
            return "";
        }
        MetricDirection direction = steps.context().direction();
        return steps.outcome(GreedyEnsemble.blend(scripts, holdout))
                .done()
                .map(blend -> told(blend, scripts, scored, direction))
                .orElse("");
    }

    private static String told(
            ScoredBlend blended,
            List<SolutionScript> scripts,
            SolutionScript scored,
            MetricDirection direction) {
        double score = blended.validation().search();
        // Equal, too: a weighted median of few is one of them.
        if (scripts.stream()
                .anyMatch(
                        script -> direction.isImprovementOrEqual(script.score().known(), score))) {
            return "blended with the best of all paths it has " + Digits.of(score, DIGITS)
                    + ", no better than its best member";
        }
        List<Integer> weights = blended.blend().weights();
        int all = weights.stream().mapToInt(Integer::intValue).sum();
        return "blended with the best of all paths it has " + weights.get(scripts.indexOf(scored))
                + " of " + all
                + " parts, and the blend " + Digits.of(score, DIGITS);
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.agent.Planner.GainOfPlan;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SearchSettings.MinGain;
import io.mlestar.core.task.SolutionScript;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// When a script is good enough to take the place of another.
///
/// @param minGain applies to scripts that both have a score by the harness; others are compared as in the paper
record Acceptance(MetricDirection direction, MinGain minGain) {
    static Acceptance of(RunContext context) {
        return new Acceptance(context.task().metricDirection(), context.config().search().minGain());
    }

    /// The paper's `>=` (Algorithm 1 line 11, Algorithm 2 lines 12 and 21). By noise, a script has to be better for sure than what all were made from; those that are
    /// differ by chance as much as by merit, so the best of them is the best guess. A script without a score never takes a place.
    ///
    /// @param best so far of those that were made from `start`, or that itself
    boolean takesPlace(SolutionScript script, Rival best, Rival start) {
        return script.score() != null && (isByNoise(Rival.of(script), start)
                ? beats(Rival.of(script), start) && (best.equals(start) || direction.isImprovement(script.knownScore(), best.score()))
                : direction.isImprovementOrEqual(script.knownScore(), best.score()));
    }

    /// True if it is better, and neither equal nor within noise.
    boolean beats(SolutionScript script, SolutionScript other) {
        return beats(Rival.of(script), Rival.of(other));
    }

    private boolean beats(Rival one, Rival other) {
        return direction.gain(one.score(),
                other.score()) > (isByNoise(one, other) ? Objects.requireNonNull(one.validation()).errorOfGain(Objects.requireNonNull(other.validation())) : 0);
    }

    /// How much better a script scored than another one; null unless the harness scored both.
    @Nullable
    GainOfPlan gain(@Nullable SolutionScript script, SolutionScript other) {
        return script == null || script.validation() == null || other.validation() == null ? null
                : new GainOfPlan(direction.gain(script.knownScore(), other.knownScore()), script.validation().errorOfGain(other.validation()));
    }

    /// Why a script does not take the place of another.
    String shortfall(SolutionScript script, SolutionScript other) {
        return script.score() == null ? "has no score"
                : (direction.isImprovement(script.knownScore(), other.knownScore()) ? "is better by less than its error: " : "is no better: ") + script.score();
    }

    private boolean isByNoise(Rival one, Rival other) {
        return minGain == MinGain.NOISE && one.validation() != null && other.validation() != null;
    }

    /// The best, the first of equals; empty if none has a score.
    Optional<SolutionScript> best(List<SolutionScript> scripts) {
        return direction.best(scripts, SolutionScript::score);
    }

    /// Those that have a score, best first; ties keep their order (REQ-P1-023).
    List<SolutionScript> ranked(List<SolutionScript> scripts) {
        return scripts.stream().filter(script -> script.score() != null)
                .sorted(Comparator.comparing(SolutionScript::score, direction.bestFirst())).toList();
    }
}

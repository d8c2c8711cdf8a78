package io.mlestar.core.phase;

import io.mlestar.core.agent.Planner.GainOfPlan;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SearchSettings.MinGain;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
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
                ? beats(Rival.of(script), start) && (best.equals(start) || gain(Rival.of(script), best) > 0)
                : gain(Rival.of(script), best) >= 0);
    }

    /// True if it is better, and neither equal nor within noise.
    boolean beats(SolutionScript script, SolutionScript other) {
        return beats(Rival.of(script), Rival.of(other));
    }

    /// True if it is better by more than the best of several tries is by luck: by noise, by twice the error of the gain.
    boolean surelyBeats(SolutionScript script, SolutionScript other) {
        return isByNoise(Rival.of(script), Rival.of(other)) ? other.knownValidation().isSurelyWorse(script.knownValidation(), direction) : beats(script, other);
    }

    private boolean beats(Rival one, Rival other) {
        return gain(one,
                other) > (isByNoise(one, other) ? Objects.requireNonNull(one.validation()).errorOfGain(Objects.requireNonNull(other.validation())) : 0);
    }

    /// By rows that both are scored by.
    private double gain(Rival one, Rival other) {
        return one.validation() == null || other.validation() == null ? direction.gain(one.score(), other.score())
                : one.validation().gain(other.validation(), direction);
    }

    /// How much better a script scored than another one; null unless the harness scored both.
    @Nullable
    GainOfPlan gain(@Nullable SolutionScript script, SolutionScript other) {
        return script == null || script.validation() == null || other.validation() == null ? null
                : new GainOfPlan(script.validation().gain(other.validation(), direction), script.validation().errorOfGain(other.validation()));
    }

    /// Why a script does not take the place of another.
    String shortfall(SolutionScript script, SolutionScript other) {
        return script.score() == null ? script.validation() == null ? "has no score" : "is surely worse on the first fold: " + script.validation().search()
                : (gain(Rival.of(script), Rival.of(other)) > 0 ? "is better by less than its error: " : "is no better: ") + script.score();
    }

    private boolean isByNoise(Rival one, Rival other) {
        return minGain == MinGain.NOISE && one.validation() != null && other.validation() != null;
    }

    /// The best, the first of equals; empty if none has a score.
    Optional<SolutionScript> best(List<SolutionScript> scripts) {
        return ranked(scripts).stream().findFirst();
    }

    /// Those that have a score, best first; ties keep their order (REQ-P1-023). Where not all are scored on all folds, the first fold counts.
    List<SolutionScript> ranked(List<SolutionScript> scripts) {
        List<SolutionScript> scored = scripts.stream().filter(script -> script.score() != null).toList();
        boolean isByFirst = scored.stream().map(SolutionScript::validation).filter(Objects::nonNull).map(Validation::rows).distinct().count() > 1;
        Function<SolutionScript, Double> score = script -> isByFirst && script.validation() != null && script.validation().first() != null
                ? Double.valueOf(script.validation().first().score()) : Double.valueOf(script.knownScore());
        return scored.stream().sorted(Comparator.comparing(score, direction.bestFirst())).toList();
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SearchSettings.MinGain;
import io.mlestar.core.task.SolutionScript;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// When a script is good enough to take the place of another.
///
/// @param minGain applies to scripts that both have a score by the harness; others are compared as in the paper
record Acceptance(MetricDirection direction, MinGain minGain) {
    static Acceptance of(RunContext context) {
        return new Acceptance(context.task().metricDirection(), context.config().search().minGain());
    }

    /// The paper's `>=` (Algorithm 1 line 11, Algorithm 2 lines 12 and 21), or a gain above its standard error. A script without a score never does.
    boolean takesPlace(SolutionScript script, SolutionScript other) {
        return script.score() != null && (isByNoise(script, other) ? beats(script, other)
                : direction.isImprovementOrEqual(script.knownScore(), other.knownScore()));
    }

    /// Whether it is better for sure: equals are not.
    boolean beats(SolutionScript script, SolutionScript other) {
        return isByNoise(script, other)
                ? direction.gain(script.knownScore(), other.knownScore()) > script.knownValidation().errorOfGain(other.knownValidation())
                : direction.isImprovement(script.knownScore(), other.knownScore());
    }

    /// Why a script does not take the place of another.
    String shortfall(SolutionScript script, SolutionScript other) {
        return script.score() == null ? "has no score"
                : (direction.isImprovement(script.knownScore(), other.knownScore()) ? "is better by less than its error: " : "is no better: ") + script.score();
    }

    private boolean isByNoise(SolutionScript one, SolutionScript other) {
        return minGain == MinGain.NOISE && one.validation() != null && other.validation() != null;
    }

    /// The first that is no worse than the best; empty if none has a score.
    Optional<SolutionScript> best(List<SolutionScript> scripts) {
        return direction.best(scripts, SolutionScript::score)
                .flatMap(best -> scripts.stream().filter(script -> script.score() != null && !beats(best, script)).findFirst());
    }

    /// Those that have a score: that one, then the others by score.
    List<SolutionScript> ranked(List<SolutionScript> scripts) {
        Optional<SolutionScript> first = best(scripts);
        return Stream.concat(first.stream(), byScore(scripts).stream().filter(script -> !first.equals(Optional.of(script)))).toList();
    }

    /// Those that have a score, best first; ties keep their order (REQ-P1-023).
    List<SolutionScript> byScore(List<SolutionScript> scripts) {
        return scripts.stream().filter(script -> script.score() != null)
                .sorted(Comparator.comparing(SolutionScript::score, direction.bestFirst())).toList();
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Compares scripts: those that hidden rows scored with the error of the difference, others as the paper does.
record Acceptance(MetricDirection direction) {
    /// How much better one script scored than another, on the same hidden rows.
    ///
    /// @param gain in units of the metric, positive if better
    /// @param error its standard error
    record MeasuredGain(double gain, double error) {}

    static Acceptance of(RunContext context) {
        return new Acceptance(context.task().metricDirection());
    }

    /// The paper's `>=` (Algorithm 1 line 11, Algorithm 2 lines 12 and 21). A script without a score never takes a place.
    boolean takesPlace(SolutionScript script, Rival best) {
        return script.score() != null && direction.gain(script.score(), best.score()) >= 0;
    }

    /// True if it is better, and neither equal nor within noise.
    boolean beats(SolutionScript script, SolutionScript other) {
        MeasuredGain measured = gain(script, other);
        if (measured == null) {
            return direction.gain(script.knownScore(), other.knownScore()) > 0;
        }
        return measured.gain() > measured.error();
    }

    /// True if it is better by more than the best of several tries is by luck: on hidden rows, by twice the error of the gain.
    boolean surelyBeats(SolutionScript script, SolutionScript other) {
        if (script.validation() == null || other.validation() == null) {
            return beats(script, other);
        }
        return other.validation().isSurelyWorse(script.validation(), direction);
    }

    /// Null unless hidden rows scored both.
    @Nullable
    MeasuredGain gain(SolutionScript script, SolutionScript other) {
        if (script.validation() == null || other.validation() == null) {
            return null;
        }
        return new MeasuredGain(script.validation().gain(other.validation(), direction), script.validation().errorOfGain(other.validation()));
    }

    /// The best, the first of equals; empty if none has a score.
    Optional<SolutionScript> best(List<SolutionScript> scripts) {
        return ranked(scripts).stream().findFirst();
    }

    /// Those that have a score, best first; ties keep their order (REQ-P1-023). Where not all are scored on all folds, the first fold counts.
    List<SolutionScript> ranked(List<SolutionScript> scripts) {
        List<SolutionScript> scored = scripts.stream().filter(script -> script.score() != null).toList();
        List<Validation> validations = scored.stream().map(SolutionScript::validation).filter(Objects::nonNull).toList();
        boolean isByFirst = validations.stream().map(Validation::rows).distinct().count() > 1;
        Function<SolutionScript, Double> score = isByFirst ? Acceptance::onFirstFold : SolutionScript::knownScore;
        return scored.stream().sorted(Comparator.comparing(score, direction.bestFirst())).toList();
    }

    private static double onFirstFold(SolutionScript script) {
        Validation by = script.validation();
        return by == null || by.first() == null ? script.knownScore() : by.first().score();
    }
}

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

/// Compares scripts: those that hidden rows scored with the error of the difference, others as the
/// paper does.
record Acceptance(MetricDirection direction) {
    static Acceptance of(RunContext context) {
        return new Acceptance(context.task().metricDirection());
    }

    /// The paper's `>=` (Algorithm 1 line 11, Algorithm 2 lines 12 and 21). A script without a
    /// score never takes a place.
    boolean takesPlace(SolutionScript script, Rival best) {
        return script.score().isKnown()
                && direction.isImprovementOrEqual(script.score().known(), best.score().known());
    }

    /// The best, the first of equals; empty if none has a score.
    Optional<SolutionScript> best(List<SolutionScript> scripts) {
        return ranked(scripts).stream().findFirst();
    }

    /// Those that have a score, best first; ties keep their order (REQ-P1-023). Where not all are
    /// scored on all folds, the first fold counts.
    List<SolutionScript> ranked(List<SolutionScript> scripts) {
        List<SolutionScript> scored = scripts.stream().filter(script -> script.score().isKnown()).toList();
        List<Validation> validations =
                scored.stream().map(script -> script.score().validation()).filter(Objects::nonNull).toList();
        boolean isByFirst = validations.stream().map(Validation::rows).distinct().count() > 1;
        return scored.stream()
                .sorted(Comparator.comparing(
                        script -> isByFirst ? script.score().onFirstFold() : script.score().known(),
                        direction.bestFirst()))
                .toList();
    }
}

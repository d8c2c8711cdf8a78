package io.mlestar.core.phase;

import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SearchSettings.EnsembleBy;
import io.mlestar.core.task.SearchSettings.MinGain;
import io.mlestar.core.task.Validation;
import org.jspecify.annotations.Nullable;

/// When a script takes another one's place (`min_gain`).
final class Acceptance {
    private Acceptance() {}

    /// Scores as well or better, as in the paper; or, where noise counts and both were validated, better by more than the error of their difference: the one
    /// that was there first keeps its place.
    static boolean replaces(double score, @Nullable Validation validation, double best, @Nullable Validation bestValidation, RunContext context) {
        MetricDirection direction = context.task().metricDirection();
        return context.config().search().minGain() == MinGain.ZERO || validation == null || bestValidation == null
                ? direction.isImprovementOrEqual(score, best)
                : direction.gain(score, best) > validation.errorOfGain(bestValidation);
    }

    /// Whether what scored is kept for a blend, even if it took no place.
    static boolean keepsAll(RunContext context) {
        return context.holdoutDigest() != null && context.config().search().ensemble() != EnsembleBy.PLANNED;
    }
}

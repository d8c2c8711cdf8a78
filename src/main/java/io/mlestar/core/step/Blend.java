package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import java.util.List;

/// A blend of predictions: what [Arithmetic.BlendPredictions] gives.
///
/// @param how the predictions of the members are put together
/// @param weights how much each member counts, in the order of the members; their sum is at least 1
/// @param format of the predictions
public record Blend(How how, List<Integer> weights, TableFormat format) {
    /// The ways to combine predictions.
    public enum How {
        /// The mean of numbers or probabilities.
        MEAN,
        /// The weighted median: for the mean absolute error.
        MEDIAN,
        /// The mean of `log(1 + x)`, taken back: for errors of logarithms.
        LOG_MEAN,
        /// The mean of each script's ranks: for metrics that see the order alone.
        RANK_MEAN,
        /// The class with most weight, however it is written; the first member's among equals.
        VOTE
    }

    public Blend {
        Invalid.required("how", how);
        Invalid.required("format", format);
        weights = Invalid.list("weights", weights);
        if (weights.stream().noneMatch(weight -> weight > 0)) {
            throw new Invalid("a blend needs a member");
        }
    }
}

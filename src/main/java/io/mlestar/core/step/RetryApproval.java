package io.mlestar.core.step;

import org.jspecify.annotations.Nullable;

/// Approves each further request for one answer, as after the use of a tool, a pause or a truncated
/// answer: its cost is not in the estimate.
@FunctionalInterface
public interface RetryApproval {
    /// The approval of a run without a budget.
    RetryApproval FREE = (paidUsd, estimateUsd) -> true;

    /// Once approved, the estimate counts as money that is being spent.
    ///
    /// @param paidUsd what the answer has cost so far; null if unknown
    /// @param estimateUsd what the next request may cost; null if unknown
    boolean may(@Nullable Double paidUsd, @Nullable Double estimateUsd);
}

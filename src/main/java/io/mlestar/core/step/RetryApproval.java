package io.mlestar.core.step;

import org.jspecify.annotations.Nullable;

/// Has to be asked before a model is asked a second time for the same answer, which costs money that nobody has counted with.
@FunctionalInterface
public interface RetryApproval {
    /// Where nobody counts.
    RetryApproval FREE = (paidUsd, estimateUsd) -> true;

    /// From a yes on, what the second time may cost counts as money that is being spent.
    ///
    /// @param paidUsd what the answer has cost so far; null if nobody can say
    /// @param estimateUsd what the second time may cost; null if nobody can say
    boolean may(@Nullable Double paidUsd, @Nullable Double estimateUsd);
}

package io.mlestar.app.start;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What agents that are asked outside any run may spend in a day: they share the budget of all runs, and may have a smaller one of their own.
public final class SingleCallBudget {
    /// In place of a run's name in the records of spending.
    private static final String OUTSIDE_RUNS = "single-call";

    private final List<DailyBudget> budgets = new ArrayList<>();
    private final InstantSource clock;

    /// @param store asked for only if there is a budget
    /// @throws Invalid if a variable is not an amount
    public SingleCallBudget(Map<String, String> environment, Supplier<Store> store, InstantSource clock) {
        this.clock = clock;
        DailyBudget.of(environment).ifPresent(usd -> budgets.add(new DailyBudget(store.get(), usd)));
        DailyBudget.ofSingleCalls(environment).ifPresent(usd -> budgets.add(DailyBudget.forSingleCalls(store.get(), usd)));
    }

    /// Puts a question on record.
    ///
    /// @throws Invalid if there is a budget, and what the question may cost is unknown
    /// @throws ModelUnavailable if a budget does not allow it today
    CountedAnswer begin(String agent, Supplier<OptionalDouble> estimateUsd) {
        CountedAnswer spending = new CountedAnswer(new StepPath(OUTSIDE_RUNS, agent + "/" + UUID.randomUUID()));
        double estimate = budgets.isEmpty() ? 0 : estimateUsd.get().orElseThrow(
                () -> new Invalid("a budget per day needs prices, but that of the model of agent " + agent + " is unknown; set prices"));
        spending.begin(estimate).ifPresent(refusal -> {
            spending.ended(0.0);
            throw new ModelUnavailable(refusal);
        });
        return spending;
    }

    /// The attempts at one answer.
    final class CountedAnswer implements RetryApproval {
        private final StepPath question;
        private final List<DailyBudget.PaidCall> calls = new ArrayList<>();
        private int attempt;
        private double paidUsd;
        private double grantedUsd;

        private CountedAnswer(StepPath question) {
            this.question = question;
        }

        /// @return why the attempt must not be made; empty if it may
        private Optional<String> begin(double estimateUsd) {
            attempt++;
            grantedUsd = estimateUsd;
            calls.clear();
            // One after the other: two calls of this process must not both see the same money as left.
            synchronized (budgets) {
                budgets.forEach(budget -> calls.add(budget.begin(question, attempt, false, clock.instant(), estimateUsd)));
                return budgets.stream().map(budget -> budget.exceeds(OUTSIDE_RUNS, clock.instant(), estimateUsd, 0)).flatMap(Optional::stream).findFirst();
            }
        }

        @Override
        public boolean may(@Nullable Double paid, @Nullable Double estimateUsd) {
            if (paid != null && estimateUsd != null && paid - paidUsd + estimateUsd <= grantedUsd) {
                return true;
            }
            ended(paid);
            paidUsd = paid == null ? paidUsd : paid;
            boolean may = begin(estimateUsd == null ? 0 : estimateUsd).isEmpty();
            if (!may) {
                calls.forEach(call -> call.ended(0.0));
                calls.clear();
            }
            return may;
        }

        /// @param usd what all attempts have cost together; null if unknown: then the estimate counts
        void ended(@Nullable Double usd) {
            calls.forEach(call -> call.ended(usd == null ? null : Double.valueOf(usd - paidUsd)));
        }
    }
}

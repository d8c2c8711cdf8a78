package io.mlestar.app.start;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.StepPath;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The answer of an agent that is asked outside any run: each attempt at it counts for the budget
/// of the day, which it shares with all runs.
final class CountedAnswer implements RetryApproval {
    /// Stands in place of a run's name in the records of spending.
    private static final String OUTSIDE_RUNS = "single-call";

    private final @Nullable DailyBudget day;
    private final InstantSource clock;
    private final StepPath question;
    private Optional<DailyBudget.PaidCall> call = Optional.empty();
    private int attempt;
    private double paidUsd;
    private double grantedUsd;

    private CountedAnswer(@Nullable DailyBudget day, InstantSource clock, String agent) {
        this.day = day;
        this.clock = clock;
        this.question = new StepPath(OUTSIDE_RUNS, agent + "/" + UUID.randomUUID());
    }

    /// Puts a question on record.
    ///
    /// @param day null if the day's money is unlimited
    /// @throws Invalid if there is a budget, and what the question may cost is unknown
    /// @throws ModelUnavailable if the budget does not allow it today
    static CountedAnswer begin(
            @Nullable DailyBudget day,
            InstantSource clock,
            String agent,
            Supplier<OptionalDouble> estimateUsd) {
        CountedAnswer answer = new CountedAnswer(day, clock, agent);
        double estimate = day == null
                ? 0
                : estimateUsd.get()
                        .orElseThrow(
                                () -> new Invalid(
                                        "a budget per day needs prices, but that of the model of agent "
                                                + agent
                                                + " is unknown; set prices"));
        Optional<String> refusal = answer.begin(estimate);
        if (refusal.isPresent()) {
            throw new ModelUnavailable(refusal.get());
        }
        return answer;
    }

    /// @return why the attempt must not be made; empty if it may
    private Optional<String> begin(double estimateUsd) {
        if (day == null) {
            return Optional.empty();
        }
        attempt++;
        grantedUsd = estimateUsd;
        Instant now = clock.instant();
        // Calls of this process take turns: two must not both see the same money as left.
        synchronized (day) {
            DailyBudget.PaidCall begun = day.begin(question, attempt, false, now, estimateUsd);
            Optional<String> refusal = day.exceeds(OUTSIDE_RUNS, now, estimateUsd, 0);
            if (refusal.isPresent()) {
                begun.ended(0.0);
                call = Optional.empty();
            } else {
                call = Optional.of(begun);
            }
            return refusal;
        }
    }

    @Override
    public boolean may(@Nullable Double paid, @Nullable Double estimateUsd) {
        if (paid != null && estimateUsd != null && paid - paidUsd + estimateUsd <= grantedUsd) {
            return true;
        }
        ended(paid);
        paidUsd = paid == null ? paidUsd : paid;
        return begin(estimateUsd == null ? 0 : estimateUsd).isEmpty();
    }

    /// @param usd what all attempts have cost together; null if unknown: then the estimate counts
    void ended(@Nullable Double usd) {
        call.ifPresent(
                counted -> counted.ended(usd == null ? null : Double.valueOf(usd - paidUsd)));
    }
}

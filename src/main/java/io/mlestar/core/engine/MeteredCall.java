package io.mlestar.core.engine;

import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.DailyBudget.PaidCall;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.Ledger.Account;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.StepPath;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The attempts that one process makes at an answer: each is recorded with its estimated cost
/// before the model is asked, and is made only if the budgets allow it. An answer takes one
/// attempt, and another one whenever its further requests may cost more than was put on record.
final class MeteredCall implements RetryApproval {
    private final CurrentLimits limits;
    private final StepPath path;
    private final StepRequest request;
    private final Records records;
    private final Gate gate;
    private final Ledger ledger;
    private final @Nullable DailyBudget day;
    private final InstantSource clock;
    private final String worker;
    private int attempt;
    private Optional<PaidCall> call = Optional.empty();
    /// The cost of the attempts before this one.
    private double paidUsd;
    /// The most that this attempt may cost.
    private double grantedUsd;

    /// @param day null if the day's money is unlimited
    MeteredCall(
            CurrentLimits limits,
            StepPath path,
            StepRequest request,
            Records records,
            Gate gate,
            @Nullable DailyBudget day,
            InstantSource clock,
            String worker) {
        this.limits = limits;
        this.path = path;
        this.request = request;
        this.records = records;
        this.gate = gate;
        this.ledger = new Ledger(records);
        this.day = day;
        this.clock = clock;
        this.worker = worker;
    }

    /// The attempt that is being made, from 1.
    int attempt() {
        return attempt;
    }

    /// Puts an attempt on record.
    ///
    /// @param estimateUsd null if unknown
    /// @return why it must not be made; empty if it may
    Optional<String> begin(Instant now, @Nullable Double estimateUsd) {
        // Two calls of this process must not both see the same money as left.
        synchronized (gate) {
            attempt = records.invocations().begin(path, now, worker, estimateUsd);
            call = Optional.empty();
            return isUnlimited()
                    ? Optional.empty()
                    : exceedsBudget(now, estimateUsd == null ? 0 : estimateUsd);
        }
    }

    private boolean isUnlimited() {
        return limits.budgetUsd() == null && day == null;
    }

    private Optional<String> exceedsBudget(Instant now, double estimateUsd) {
        Account account = ledger.of(StepPath.root(path.run()));
        double mayCost = account.mayCost(path.plainName(), estimateUsd);
        grantedUsd = mayCost;
        double kept = gate.kept(limits.run(), path, request, account.measured());
        Optional<String> refusal = gate.exceedsBudget(limits, account.usd(), mayCost, kept);
        if (refusal.isPresent() || day == null) {
            return refusal;
        }
        call = Optional.of(day.begin(path, attempt, request.essential(), now, mayCost));
        return day.exceeds(path.run(), now, mayCost, kept);
    }

    @Override
    public boolean may(@Nullable Double paid, @Nullable Double estimateUsd) {
        if (isUnlimited() || isGranted(paid, estimateUsd)) {
            return true;
        }
        Instant now = clock.instant();
        abort(now, Invocations.GOES_ON, paid);
        ended(paid);
        paidUsd = paid == null ? paidUsd : paid;
        Optional<String> refusal = begin(now, estimateUsd);
        refusal.ifPresent(reason -> records.invocations().abort(path, attempt, now, reason, 0.0));
        return refusal.isEmpty();
    }

    private boolean isGranted(@Nullable Double paid, @Nullable Double estimateUsd) {
        return paid != null && estimateUsd != null && paid - paidUsd + estimateUsd <= grantedUsd;
    }

    /// Records that the present attempt gave no result.
    ///
    /// @param usd as of [#ended]
    void abort(Instant now, String reason, @Nullable Double usd) {
        records.invocations().abort(path, attempt, now, reason, ofThisAttempt(usd));
    }

    /// @param usd what all attempts have cost together; null if unknown
    void ended(@Nullable Double usd) {
        call.ifPresent(paid -> paid.ended(ofThisAttempt(usd)));
    }

    private @Nullable Double ofThisAttempt(@Nullable Double usd) {
        return usd == null ? null : Double.valueOf(Math.max(0, usd - paidUsd));
    }
}

package io.mlestar.core.records;

import io.mlestar.core.records.Invocations.Invocation;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/// The money that runs have spent, all paths and processes together, and the measures of their
/// steps. It is counted from the store, so it survives kills and is the same in every pod; damaged
/// records do not count. A call in flight counts with what it may cost, from the moment its attempt
/// is recorded.
public record Ledger(Records records) {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final double WARNING = 0.8;

    /// The sums of a run, or of a part of it.
    ///
    /// @param totals of what has ended
    /// @param calls in flight, or died with their process
    public record Account(Totals totals, List<OpenCall> calls) {
        private static final Account EMPTY = new Account(Totals.NOTHING, List.of());

        public Measurements measured() {
            return totals.measured();
        }

        /// The money that is spent, with what the open calls may cost.
        public double usd() {
            return Totals.rounded(totals.knownUsd()
                    + calls.stream()
                            .mapToDouble(call -> mayCost(call.agent(), call.estimateUsd()))
                            .sum());
        }

        /// The most that an answer may cost: no less than estimated from its prompt, nor than the
        /// answers of this run.
        public double mayCost(String agent, double estimateUsd) {
            return Math.max(estimateUsd, measured().likelyUsd(agent));
        }

        Account and(Account other) {
            return new Account(totals.and(other.totals),
                    Stream.concat(calls.stream(), other.calls.stream()).toList());
        }
    }

    /// An attempt at an answer.
    ///
    /// @param estimateUsd estimated from its prompt
    public record OpenCall(String agent, double estimateUsd) {}

    /// The money that a run has spent, with what the calls in flight may cost, in USD.
    public double spent(String run) {
        return of(StepPath.root(run)).usd();
    }

    /// Logs, once for each budget and in one process, that four fifths of it are spent, or may be
    /// by the calls in flight.
    public void warn(String run, double spent, double budget) {
        if (spent >= WARNING * budget && records.mark(run, "warned-" + budget + ".json")) {
            LOG.warn(String.format(Locale.ROOT,
                    "run %s has spent $%.4f, more than 80%% of its budget of $%.4f", run, spent,
                    budget));
        }
    }

    /// The end of a message, if money is kept.
    public static String alsoKept(double usd) {
        return usd > 0 ? String.format(Locale.ROOT, "; $%.4f is kept for finalization", usd) : "";
    }

    /// The sums of a step that has not ended.
    public Account of(StepPath step) {
        return of(step, false);
    }

    /// A finished phase carries its totals; only phases that are open or lack them are walked
    /// through.
    private Account below(StepPath phase) {
        return records.each(records.listed(phase), this::of)
                .stream()
                .reduce(Account.EMPTY, Account::and);
    }

    /// The step's name alone says whether it is an answer, a script or a phase, so that no request
    /// has to be read.
    private Account of(StepPath step, boolean ended) {
        try {
            Totals told = ended ? Totals.of(step, records.result(step).orElseThrow()) : null;
            if (told != null) {
                return new Account(told, List.of());
            }
            if (Walk.mayBePhase(step)) {
                return below(step);
            }
            return Walk.isAgent(step) ? begun(step) : Account.EMPTY;
        } catch (DamagedRecord e) {
            return Account.EMPTY;
        }
    }

    /// The money for an answer that has not come, by its attempts.
    private Account begun(StepPath step) {
        double billed = 0;
        List<OpenCall> calls = new ArrayList<>();
        for (Invocation attempt : records.invocations().of(step)) {
            double usd = Objects.requireNonNullElse(attempt.maySpendUsd(), 0.0);
            if (attempt.isOpen()) {
                calls.add(new OpenCall(step.plainName(), usd));
            } else {
                billed += usd;
            }
        }
        return new Account(Totals.NOTHING.costing(billed), calls);
    }
}

package io.mlestar.records;

import io.mlestar.step.StepPath;
import java.util.Locale;
import org.jboss.logging.Logger;

/// Money spent by each run, all paths and all processes together: counted from the store, so it survives kills and two pods
/// cannot disagree about it; what a damaged record says is not counted. A call under way counts with what it may cost, from the moment its beginning is on record.
public record Ledger(Records records) {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final double WARNING = 0.8;

    /// What is spent, and may be spent by the calls that are under way.
    public double spent(String run) {
        return spent(StepPath.root(run));
    }

    /// Says so when the last step took the run beyond four fifths of its budget.
    public void warn(RunHeader run, double lastUsd) {
        Double cap = run.config().maxBudgetUsd();
        if (cap == null || lastUsd == 0) {
            return;
        }
        double spent = spent(run.runId());
        if (spent - lastUsd < WARNING * cap && spent >= WARNING * cap) {
            LOG.warn(String.format(Locale.ROOT, "run %s has spent $%.4f, more than 80%% of its budget of $%.4f", run.runId(), spent, cap));
        }
    }

    /// A finished phase carries its sum; only the open ones, and those with a price unknown, are walked through.
    private double spent(StepPath phase) {
        double sum = 0;
        for (KnownStep step : records.readable(phase)) {
            Double cost = step.result().map(StepResult::costUsd).orElse(null);
            sum += cost != null ? cost : step.request().isPhase() ? spent(step.path()) : step.result().isPresent() ? 0 : begun(step);
        }
        return sum;
    }

    private double begun(KnownStep step) {
        return step.request().isAgent() ? records.tries().of(step.path()).stream().map(Tries.Try::maySpendUsd)
                .mapToDouble(usd -> usd == null ? 0 : usd).sum() : 0;
    }
}

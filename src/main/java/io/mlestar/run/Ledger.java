package io.mlestar.run;

import io.mlestar.step.StepPath;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/// Money spent by each run, all paths together. Kept in memory and counted from the store when the process first meets
/// the run, so it survives kills.
final class Ledger {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final double WARNING = 0.8;

    private final Records records;
    private final Map<String, Double> spent = new ConcurrentHashMap<>();

    Ledger(Records records) {
        this.records = records;
    }

    double spent(String run) {
        return spent.computeIfAbsent(run, id -> stored(StepPath.root(id)));
    }

    void add(RunHeader run, double costUsd) {
        double before = spent(run.runId());
        double after = spent.merge(run.runId(), costUsd, Double::sum);
        Double cap = run.config().maxBudgetUsd();
        if (cap != null && before < WARNING * cap && after >= WARNING * cap) {
            LOG.warnf("run %s has spent $%.4f, more than 80%% of its budget of $%.4f", run.runId(), after, cap);
        }
    }

    void forget(String run) {
        spent.remove(run);
    }

    /// A finished phase carries its sum; only the open ones are walked through.
    private double stored(StepPath phase) {
        double sum = 0;
        for (Records.Known step : records.below(phase)) {
            if (step.result().isPresent()) {
                Double cost = step.result().get().costUsd();
                sum += cost == null ? 0 : cost;
            } else {
                sum += stored(step.path());
            }
        }
        return sum;
    }
}

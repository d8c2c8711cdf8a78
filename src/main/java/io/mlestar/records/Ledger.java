package io.mlestar.records;

import io.mlestar.step.StepPath;
import io.mlestar.store.DamagedRecord;
import io.mlestar.store.Sealed;
import io.mlestar.task.Json;
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

    /// Says, once for each budget and in one process, that four fifths of it are spent, or may be by the calls that are under way.
    public void warn(String run, double spent, double budget) {
        if (spent >= WARNING * budget && records.store().create(Records.key(run, "warned-" + budget + ".json"), Sealed.bytes(Json.object()))) {
            LOG.warn(String.format(Locale.ROOT, "run %s has spent $%.4f, more than 80%% of its budget of $%.4f", run, spent, budget));
        }
    }

    /// A finished phase carries its sum; only the open ones, and those with a price unknown, are walked through. What was asked for is read
    /// of these alone.
    private double spent(StepPath phase) {
        return records.each(phase, records.listed(phase), this::spent).values().stream().mapToDouble(usd -> usd).sum();
    }

    private double spent(StepPath step, boolean ended) {
        try {
            Double cost = ended ? records.result(step).map(StepResult::costUsd).orElse(null) : null;
            if (cost != null) {
                return cost;
            }
            StepRequest request = records.request(step).orElseThrow();
            return request.isPhase() ? spent(step) : ended || !request.isAgent() ? 0 : begun(step);
        } catch (DamagedRecord e) {
            return 0;
        }
    }

    private double begun(StepPath step) {
        return records.tries().of(step).stream().map(Tries.Try::maySpendUsd).mapToDouble(usd -> usd == null ? 0 : usd).sum();
    }
}

package io.mlestar.core.steering;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.store.Store;
import java.util.List;

/// More time and money for runs, as `runs/<run>/extension-1.json` and so on; a part of the
/// [Allowance].
public record Extensions(Store store) {
    private static final int MOST = 50;

    /// All extensions of the run, in the order in which they were given.
    public List<Extension> of(String run) {
        return all().of(run);
    }

    /// The limits that a run has now.
    public CurrentLimits onto(RunHeader run) {
        return new Allowance(of(run.runId())).onto(run);
    }

    /// @return the limits that the run has now
    /// @throws Invalid if the run has no limit that could be raised, or was extended too often
    public CurrentLimits add(RunHeader run, Extension extension) {
        if (extension.addUsd() > 0 && run.config().limits().maxBudgetUsd() == null) {
            throw new Invalid("run " + run.runId()
                    + " has no max_budget_usd; there is nothing to add USD to");
        }
        if (!all().add(run.runId(), extension)) {
            throw new Invalid("run " + run.runId() + " has been extended " + MOST
                    + " times; more is not taken");
        }
        return onto(run);
    }

    private NumberedRecords<Extension> all() {
        return new NumberedRecords<>(store, "extension-", Extension.class, MOST);
    }
}

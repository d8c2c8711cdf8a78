package io.mlestar.app.program;

import io.mlestar.core.engine.Watchers;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.report.Report;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;

/// Writes the report of a run when the run ends in this process.
class Reports implements Watcher {
    private final Records records;

    Reports(Records records) {
        this.records = records;
    }

    void install(@Observes StartupEvent start, Watchers watchers) {
        watchers.add(this);
    }

    @Override
    public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        if (step.inside().isEmpty()) {
            Report.of(records, run);
        }
    }
}

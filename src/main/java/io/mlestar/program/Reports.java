package io.mlestar.program;

import io.mlestar.engine.Watchers;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.StepRequest;
import io.mlestar.records.StepResult;
import io.mlestar.records.Watcher;
import io.mlestar.report.Report;
import io.mlestar.step.StepPath;
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

package io.mlestar.app.program;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.report.Report;

/// Writes the report of a run when the run ends in this process.
record Reports(Records records) implements Watcher {
    @Override
    public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        if (step.inside().isEmpty()) {
            Report.of(records, run);
        }
    }
}

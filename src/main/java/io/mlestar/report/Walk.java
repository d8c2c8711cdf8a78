package io.mlestar.report;

import io.mlestar.run.Records;
import io.mlestar.step.StepPath;
import java.util.function.Consumer;

/// Goes through the steps of a run, each phase before the steps inside it. Keeps nothing.
final class Walk {
    private Walk() {}

    static void steps(Records records, StepPath phase, Consumer<Records.Known> seen) {
        for (Records.Known step : records.below(phase)) {
            seen.accept(step);
            if (step.request().isPhase()) {
                steps(records, step.path(), seen);
            }
        }
    }
}

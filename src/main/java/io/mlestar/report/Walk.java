package io.mlestar.report;

import io.mlestar.engine.Records;
import io.mlestar.engine.StepResult;
import io.mlestar.step.StepPath;
import java.util.function.Consumer;

/// Goes through the steps of a run, each phase before the steps inside it. Those of a phase that another run shares with it lie
/// with the other run, and have its name in their paths. Keeps nothing.
final class Walk {
    private Walk() {}

    static void steps(Records records, StepPath phase, Consumer<Records.Known> seen) {
        for (Records.Known step : records.below(phase)) {
            seen.accept(step);
            if (step.request().isPhase()) {
                String shared = step.result().map(StepResult::sharedWith).orElse(null);
                steps(records, shared == null ? step.path() : StepPath.parse(shared), seen);
            }
        }
    }
}

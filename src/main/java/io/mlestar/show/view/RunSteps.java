package io.mlestar.show.view;

import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import java.util.function.Consumer;

/// All steps of a run, each phase before the steps inside it. Those of a phase that another run shares with it lie with the other run,
/// and have its name in their paths. Keeps nothing.
public record RunSteps(Records records, String run) {
    public void forEach(Consumer<StepView> seen) {
        below(StepPath.root(run), seen);
    }

    private void below(StepPath phase, Consumer<StepView> seen) {
        for (KnownStep step : records.below(phase)) {
            seen.accept(StepView.of(step));
            if (step.request().isPhase()) {
                below(step.place(), seen);
            }
        }
    }
}

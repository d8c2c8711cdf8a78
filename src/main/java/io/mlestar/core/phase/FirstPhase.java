package io.mlestar.core.phase;

import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.task.Results.Phase1Result;

/// Phase 1, by the strategy of the run.
public sealed interface FirstPhase extends Phase<Phase1Result>
        permits InitialSolution, FirstSolutions {
    String NAME = "phase1";

    @Override
    default String name() {
        return NAME;
    }

    @Override
    default String title() {
        return "Initial solution";
    }

    @Override
    default PhaseReport report(Phase1Result result) {
        return PhaseReport.of(result.initialSolution()).deciding(result.decisions());
    }
}

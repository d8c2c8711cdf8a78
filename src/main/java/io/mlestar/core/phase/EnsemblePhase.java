package io.mlestar.core.phase;

import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Phase 3, by the strategy of the run.
public sealed interface EnsemblePhase extends Phase<Phase3Result>
        permits Ensemble, BlendedEnsemble {
    String NAME = "phase3";

    /// The best script of each path.
    List<SolutionScript> solutions();

    /// The best of them, with which ensembles are compared; null if none has a score.
    default @Nullable Rival input(Acceptance acceptance) {
        return acceptance.best(solutions()).map(Rival::of).orElse(null);
    }

    @Override
    default String name() {
        return NAME;
    }

    @Override
    default Scheduling scheduling(RunContext context) {
        return Scheduling.share(context.limits().timeBudget().phase3Share(), new Load(0, 0));
    }

    @Override
    default String title() {
        return "Ensemble";
    }

    @Override
    default PhaseReport report(Phase3Result result) {
        return PhaseReport.of(result.bestEnsemble()).deciding(result.decisions());
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Results.EnsembleAttempt;
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

    /// The best of the scored ensembles, else the best of the solutions; the last one on ties
    /// (REQ-P3-025).
    default SolutionScript best(List<EnsembleAttempt> attempts, Acceptance acceptance) {
        return acceptance.best(EnsembleAttempt.solutions(attempts).reversed())
                .or(() -> acceptance.best(solutions().reversed()))
                .orElse(solutions().getFirst());
    }

    /// The result with the plans and scores of the attempts, and the score of the best.
    default Phase3Result result(
            List<EnsembleAttempt> attempts,
            SolutionScript best,
            List<Decision> decisions) {
        List<String> plans = attempts.stream().map(EnsembleAttempt::plan).toList();
        List<Double> scores = attempts.stream().map(EnsembleAttempt::score).toList();
        return new Phase3Result(solutions(), plans, scores, best, best.score().value(), attempts,
                decisions);
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

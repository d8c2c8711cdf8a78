package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Algorithm 3: proposes and tries R ways to ensemble the L solutions, and returns the best of
/// them, also where one input alone scores higher.
public record Ensemble(List<SolutionScript> solutions) implements EnsemblePhase {
    public Ensemble {
        solutions = List.copyOf(solutions);
    }

    @Override
    public Phase3Result run(Steps steps) {
        if (solutions.size() == 1) {
            return result(List.of(), solutions.getFirst(), List.of());
        }
        int rounds = steps.context().config().paper().ensembleRounds();
        Acceptance acceptance = Acceptance.of(steps.context());
        Rival input = input(acceptance);
        List<EnsembleAttempt> attempts = new ArrayList<>();
        for (int r = 0; r < rounds; r++) {                                                            // lines 1-8
            Outcome<EnsembleAttempt> outcome = steps.outcome(round(r, attempts, input));
            if (outcome instanceof Outcome.Stopped) {
                break;
            }
            attempts.add(Round.of(outcome));
        }
        SolutionScript best = best(attempts, acceptance);                                             // line 9
        return result(attempts, best, decisions(attempts, input, best));                              // line 10
    }

    private Round round(int r, List<EnsembleAttempt> before, @Nullable Rival input) {
        List<String> plans = before.stream().map(EnsembleAttempt::plan).toList();
        List<Double> scores = before.stream().map(EnsembleAttempt::score).toList();
        List<String> repairs = before.stream().map(EnsembleAttempt::repaired).toList();
        return new Round(r, solutions, input, null, plans, scores, repairs);
    }

    private List<Decision> decisions(
            List<EnsembleAttempt> attempts,
            @Nullable Rival input,
            SolutionScript best) {
        List<Decision> decisions = new ArrayList<>();
        for (int r = 0; r < attempts.size(); r++) {
            SolutionScript tried = attempts.get(r).solution();
            decisions.add(
                    new Decision(NAME + "/" + Round.name(r), tried.score(), Source.each(solutions),
                            input, tried.equals(best)));
        }
        return decisions;
    }

    static Load load(PaperSearch paper) {
        return new Load(3 * paper.plannedEnsembles(), paper.plannedEnsembles());
    }
}

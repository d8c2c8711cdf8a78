package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Phase 3 of [io.mlestar.core.task.StrongSearch]: a greedy blend of all predictions on hidden
/// rows, then one script that combines the methods of its members. Which of all scripts is best is
/// left to the final choice, which has rows of its own.
///
/// @param library all scripts that a blend may be made of; none where no rows are hidden
public record BlendedEnsemble(
        List<SolutionScript> solutions,
        List<SolutionScript> library) implements EnsemblePhase {
    /// Path of the blend, which is no phase of its own.
    public static final String BLEND = NAME + "/blend";
    private static final String COMBINATION = NAME + "/" + Round.name(0);

    public BlendedEnsemble {
        solutions = List.copyOf(solutions);
        library = List.copyOf(library);
    }

    @Override
    public Phase3Result run(Steps steps) {
        Acceptance acceptance = Acceptance.of(steps.context());
        Rival input = input(acceptance);
        Optional<EnsembleAttempt> blend =
                library.isEmpty() ? Optional.empty() : new GreedyEnsemble(library).run(steps);
        boolean isCut = blend.isEmpty() && !library.isEmpty();
        Optional<EnsembleAttempt> combination =
                isCut ? Optional.empty() : combined(acceptance, blend.orElse(null), input, steps);
        List<EnsembleAttempt> attempts =
                Stream.of(blend, combination).flatMap(Optional::stream).toList();
        SolutionScript best = best(attempts, acceptance);
        List<Decision> decisions = new ArrayList<>();
        blend.ifPresent(tried -> decisions.add(decision(BLEND, tried, input, best)));
        combination.ifPresent(tried -> decisions.add(decision(COMBINATION, tried, input, best)));
        return result(attempts, best, decisions);
    }

    /// Empty if there are not two scripts to combine, or the run has to finish.
    private Optional<EnsembleAttempt> combined(
            Acceptance acceptance,
            @Nullable EnsembleAttempt blend,
            @Nullable Rival input,
            Steps steps) {
        Optional<Round> round = Combination.of(acceptance.ranked(solutions), library, blend, input,
                steps.context());
        if (round.isEmpty()) {
            return Optional.empty();
        }
        Outcome<EnsembleAttempt> outcome = steps.outcome(round.get());
        if (outcome instanceof Outcome.Stopped) {
            return Optional.empty();
        }
        return Optional.of(Round.of(outcome).of(Source.each(round.get().solutions())));
    }

    /// A script that hidden rows scored is left to the final choice.
    private static Decision decision(
            String step,
            EnsembleAttempt tried,
            @Nullable Rival input,
            SolutionScript best) {
        SolutionScript script = tried.solution();
        Boolean accepted =
                script.score().validation() == null ? Boolean.valueOf(script.equals(best)) : null;
        return new Decision(step, script.score(), tried.members(), input, accepted);
    }

    /// The combination, which takes as long as two of its members.
    ///
    /// @param folds on which it is scored
    static Load load(int folds) {
        return new Load(1, 2 * folds);
    }
}

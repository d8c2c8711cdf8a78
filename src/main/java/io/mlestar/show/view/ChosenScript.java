package io.mlestar.show.view;

import io.mlestar.core.phase.Pipeline.Solved;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The script that a run chose, before finalization made the last one of it.
public final class ChosenScript {
    private ChosenScript() {}

    /// How the harness computed its score; empty if it did not.
    public static Optional<Validation> validation(FinalResult result) {
        return validation(result.finalSolution(), result.phase1(), result.phase2Results(), result.phase3(), result.bestScore());
    }

    static Optional<Validation> validation(Solved result) {
        return validation(result.finalSolution(), result.phase1(), result.phase2Results(), result.phase3(), result.bestScore());
    }

    /// The last script has it where what was chosen ran as it was; it may be an attempt that had taken no place.
    private static Optional<Validation> validation(SolutionScript last, Phase1Result phase1, List<Phase2Result> phase2, @Nullable Phase3Result phase3,
            @Nullable Double score) {
        Stream<SolutionScript> ensembles = Stream.ofNullable(phase3).flatMap(phase -> phase.attempts().stream()).map(EnsembleAttempt::solution);
        Stream<SolutionScript> singles = Stream.concat(Stream.of(last, phase1.initialSolution()), phase2.stream().map(Phase2Result::bestSolution));
        return Stream.concat(singles, ensembles).filter(script -> score != null && score.equals(script.score()))
                .flatMap(script -> Stream.ofNullable(script.validation())).findFirst();
    }
}

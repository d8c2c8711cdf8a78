package io.mlestar.core.phase;

import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Phase;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The catalogue: which record is which kind of phase, and what its result is. The kind is the name
/// of the phase's function and the end of its event type.
public final class Phases {
    private record PhaseRow<R>(String kind, Class<? extends Phase<R>> phase, Class<R> result) {}

    private static final List<PhaseRow<?>> ROWS = List.of(
            new PhaseRow<>("pipeline", Pipeline.class, Pipeline.Result.class),
            new PhaseRow<>("survey", Survey.class, Facts.class),
            new PhaseRow<>("initial-solution", InitialSolution.class, Phase1Result.class),
            new PhaseRow<>("first-solutions", FirstSolutions.class, Phase1Result.class),
            new PhaseRow<>("candidate", Candidate.class, SolutionScript.class),
            new PhaseRow<>("merge", Merge.class, Merge.Result.class),
            new PhaseRow<>("refinement", Refinement.class, Phase2Result.class),
            new PhaseRow<>("outer-step", OuterStep.class, OuterStep.Result.class),
            new PhaseRow<>("attempt", Attempt.class, Attempt.Result.class),
            new PhaseRow<>("search", ScriptSearch.class, ScriptSearch.Result.class),
            new PhaseRow<>("leg", SearchRounds.class, SearchRounds.Result.class),
            new PhaseRow<>("turn", ScriptAttempt.class, ScriptAttempt.Result.class),
            new PhaseRow<>("ensemble", Ensemble.class, Phase3Result.class),
            new PhaseRow<>("blended-ensemble", BlendedEnsemble.class, Phase3Result.class),
            new PhaseRow<>("round", Round.class, EnsembleAttempt.class),
            new PhaseRow<>("evaluation", Evaluation.class, Evaluation.Result.class),
            new PhaseRow<>("finalization", Finalization.class, Finalization.Result.class));

    /// Records by their kind.
    public static final Map<String, Class<? extends Phase<?>>> BY_KIND =
            ROWS.stream().collect(Collectors.toUnmodifiableMap(PhaseRow::kind, PhaseRow::phase));

    private Phases() {}

    public static String kind(Phase<?> phase) {
        return row(phase).kind();
    }

    /// The record type that a stored result is read back into.
    @SuppressWarnings("unchecked")
    public static <R> Class<R> resultType(Phase<R> phase) {
        return (Class<R>) row(phase).result();
    }

    private static PhaseRow<?> row(Phase<?> phase) {
        return ROWS.stream()
                .filter(row -> row.phase() == phase.getClass())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                phase.getClass() + " is not in the catalogue of phases"));
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.step.Phase;
import io.mlestar.core.survey.Survey;
import java.util.Map;

/// The catalogue: which record is which kind of phase. The kind is the name of the phase's function and the end of its
/// event type.
public final class Phases {
    public static final Map<String, Class<? extends Phase<?>>> BY_KIND = Map.ofEntries(
            Map.entry("pipeline", Pipeline.class),
            Map.entry("survey", Survey.class),
            Map.entry("initial-solution", InitialSolution.class),
            Map.entry("candidate", Candidate.class),
            Map.entry("merge", Merge.class),
            Map.entry("refinement", Refinement.class),
            Map.entry("outer-step", OuterStep.class),
            Map.entry("attempt", Attempt.class),
            Map.entry("ensemble", Ensemble.class),
            Map.entry("round", Round.class),
            Map.entry("evaluation", Evaluation.class),
            Map.entry("finalization", Finalization.class));

    private Phases() {}

    public static String kind(Phase<?> phase) {
        return BY_KIND.entrySet().stream().filter(entry -> entry.getValue() == phase.getClass()).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(phase.getClass() + " is not in the catalogue of phases")).getKey();
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.Steps;
import io.mlestar.core.survey.Survey;
import io.mlestar.core.task.ContaminationVerdict;
import io.mlestar.core.task.FinalChoice;
import io.mlestar.core.task.LoopSettings;
import io.mlestar.core.task.Results.BetterScript;
import io.mlestar.core.task.Results.Gain;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The whole of MLE-STAR: Phase 1, L paths of Phase 2 in parallel, Phase 3, finalization (Section 3; REQ-OR-017). Each
/// phase that fails is replaced by the best of the phases before (REQ-OR-043); only Phase 1 is indispensable.
public record Pipeline() implements Phase<Pipeline.Solved> {
    /// What the phases gave; times, money and addresses are added where the run is published.
    ///
    /// @param bestPath number of the path whose script is the best single one
    /// @param phase3 null if it was skipped or failed
    /// @param chosen the script that was finalized, as it was before
    /// @param submission null if there is none
    /// @param completed names of the phases that ended as planned
    /// @param submissionFailure why there is none; null if there is one
    /// @param contamination null without references, or if the check was inconclusive
    /// @param contaminationNote why there is no verdict; null if there is one
    /// @param betterScript a path's best script, if it scored better than the one that was finalized; null if none did, or other rows decided
    /// @param gains from the best model to the chosen script
    public record Solved(Phase1Result phase1, List<Phase2Result> phase2Results, int bestPath, @Nullable Phase3Result phase3,
            SolutionScript chosen, SolutionScript finalSolution, @Nullable Double bestScore, Execution.@Nullable Submission submission,
            @Nullable String submissionFailure,
            @Nullable ContaminationVerdict contamination, @Nullable String contaminationNote, @Nullable BetterScript betterScript, List<Gain> gains,
            List<String> completed, List<String> lineage) implements PhaseResult {}

    @Override
    public Solved run(Steps steps) {
        LoopSettings loop = steps.context().config().loop();
        List<String> completed = new ArrayList<>();
        // What it found is part of the context from here on.
        if (steps.outcome(new Survey()) instanceof Outcome.Done<Facts>(var facts) && steps.context().config().stopsWithoutLibraries()) {
            facts.machine().refusal().ifPresent(why -> {
                throw new StepFailed(why);
            });
        }
        Phase1Result phase1 = steps.call(new InitialSolution());
        completed.add("phase1");
        SolutionScript s0 = phase1.initialSolution();

        List<Refinement> refinements = Refinement.all(phase1, steps.context());
        boolean isByScript = steps.context().config().search().isByScript();
        Outcome<Search.Searched> searched = isByScript ? steps.outcome(Search.of(phase1, refinements)) : new Outcome.Failed<>("not searched");
        List<Outcome<Phase2Result>> paths = isByScript ? refinements.stream().map(path -> searched.map(found -> found.paths().get(path.path()))).toList()
                : steps.callAll(refinements);
        List<Phase2Result> phase2 = refinements.stream()
                .map(path -> paths.get(path.path()) instanceof Outcome.Done<Phase2Result>(var result) ? result : path.failed()).toList();
        if (isByScript ? searched instanceof Outcome.Done<Search.Searched>(var found) && found.isWhole() : endedAsPlanned(paths, loop)) {
            completed.add("phase2");
        }

        List<SolutionScript> refined = phase2.stream().map(Phase2Result::bestSolution).toList();
        Ensemble ensemble = new Ensemble(refined, GreedyEnsemble.library(phase1, phase2, steps.context()));
        Phase3Result phase3 = (refined.size() > 1 || !ensemble.library().isEmpty())
                && steps.outcome(ensemble) instanceof Outcome.Done<Phase3Result>(var result) ? result : null;
        if (phase3 != null && ensemble.endedAsPlanned(phase3, steps.context().config())) {
            completed.add("phase3");
        }
        FinalChoices choices = new FinalChoices(s0, refined, ensemble.library(), phase3, steps.context());
        SolutionScript chosen = choices.chosen();
        Finalization.Finalized last = switch (steps.outcome(new Finalization(chosen))) {
            case Outcome.Done<Finalization.Finalized>(var done) -> done;
            case Outcome.Failed<Finalization.Finalized>(String reason, boolean unreadable) ->
                Finalization.Finalized.missed(chosen, "finalization failed: " + reason);
            case Outcome.Stopped<Finalization.Finalized>(String reason) ->
                Finalization.Finalized.missed(chosen, "finalization was left out: " + reason);
        };
        if (last.submission() != null && last.submission().wrong() == null) {
            completed.add("finalization");
        }
        SolutionScript single = choices.single();
        int bestPath = refined.indexOf(single);
        Acceptance acceptance = Acceptance.of(steps.context());
        BetterScript better = loop.finalSolution() == FinalChoice.VERIFIED && chosen.validation() != null
                || chosen.score() == null || !acceptance.beats(single, chosen) ? null
                        : new BetterScript(Refinement.name(bestPath), single.knownScore());
        return new Solved(phase1, phase2, bestPath, phase3, chosen, last.solution(), chosen.score(), last.submission(), last.failure(),
                last.contamination(), last.contaminationNote(), better, choices.gains(phase1, chosen), completed,
                Lineage.with(choices.overstated(), Lineage.of(acceptance, phase1, phase2, bestPath, phase3, chosen, last)));
    }

    /// True if at least one path succeeded, and none that did was cut short (REQ-OR-030).
    private static boolean endedAsPlanned(List<Outcome<Phase2Result>> paths, LoopSettings loop) {
        List<Outcome<Phase2Result>> alive = paths.stream().filter(path -> !(path instanceof Outcome.Failed)).toList();
        return !alive.isEmpty() && alive.stream().allMatch(path -> path instanceof Outcome.Done<Phase2Result>(var result)
                && result.stepHistory().size() == loop.outerLoopSteps()
                && result.stepHistory().stream().allMatch(step -> step.wasSkipped() || step.innerLoopAttempts().size() == loop.innerLoopSteps()));
    }

    @Override
    public String name() {
        return "pipeline";
    }

    @Override
    public String title() {
        return "Pipeline";
    }

    @Override
    public PhaseReport report(Solved result) {
        return PhaseReport.of(result.chosen()).with(PhaseText.SCRIPT, result.finalSolution().content());
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.phase.Strategy.Choice;
import io.mlestar.core.phase.Strategy.PartResult;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.ContaminationVerdict;
import io.mlestar.core.task.Results.BetterScript;
import io.mlestar.core.task.Results.Gain;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The whole of MLE-STAR: a first solution, refinement, an ensemble, finalization (Section 3;
/// REQ-OR-017), as the run's [Strategy] does them. Each phase that fails is replaced by the best of
/// the phases before (REQ-OR-043); only Phase 1 is indispensable.
public record Pipeline() implements Phase<Pipeline.Result> {
    /// The results of the phases; times, money and addresses are added where the run is published.
    ///
    /// @param bestPath number of the path whose script is the best single one
    /// @param phase3 null if it was skipped or failed
    /// @param chosen the script that was finalized, as it was before
    /// @param submission null if there is none
    /// @param completed names of the phases that ended as planned
    /// @param submissionFailure why there is none; null if there is one
    /// @param contamination null without references, or if the check was inconclusive
    /// @param contaminationNote why there is no verdict; null if there is one
    /// @param betterScript a path's best script, if it scored better than the one that was
    ///   finalized; null if none did, or other rows decided
    /// @param gains from the best model to the chosen script
    public record Result(
            Phase1Result phase1,
            List<Phase2Result> phase2Results,
            int bestPath,
            @Nullable Phase3Result phase3,
            SolutionScript chosen,
            SolutionScript finalSolution,
            @Nullable Submission submission,
            @Nullable String submissionFailure,
            @Nullable ContaminationVerdict contamination,
            @Nullable String contaminationNote,
            @Nullable BetterScript betterScript,
            List<Gain> gains,
            List<String> completed,
            List<String> lineage) implements PhaseResult {}

    @Override
    public Result run(Steps steps) {
        survey(steps);
        Strategy search = Strategy.of(steps.context());                            // Algorithms 1 to 3, or whole scripts
        Phase1Result first = steps.call(search.first());
        PartResult<List<Phase2Result>> refined = search.refine(first, steps);
        List<Phase2Result> paths = refined.result();
        Optional<PartResult<Phase3Result>> combined = search.combine(first, paths, steps);
        Optional<Phase3Result> ensemble = combined.map(PartResult::result);
        Choice choice = search.choose(first, paths, ensemble);
        Finalization.Result last = finalized(choice.script(), steps);

        List<String> completed = new ArrayList<>(List.of(FirstPhase.NAME));
        if (refined.isWhole()) {
            completed.add("phase2");
        }
        if (combined.isPresent() && combined.get().isWhole()) {
            completed.add(EnsemblePhase.NAME);
        }
        if (last.submission() != null && last.submission().wrong() == null) {
            completed.add(Finalization.NAME);
        }
        return solved(first, paths, ensemble.orElse(null), choice, last, completed,
                Acceptance.of(steps.context()));
    }

    /// Runs the survey. Its findings are part of the context from then on.
    private static void survey(Steps steps) {
        Facts facts = steps.outcome(new Survey()).done().orElse(Facts.NONE);
        Optional<String> refusal = facts.machine().refusal();
        if (refusal.isPresent() && steps.context().config().stopsWithoutLibraries()) {
            throw new StepFailed(refusal.get());
        }
    }

    private static Finalization.Result finalized(SolutionScript chosen, Steps steps) {
        return switch (steps.outcome(new Finalization(chosen))) {
            case Outcome.Done<Finalization.Result>(var done) -> done;
            case Outcome.Failed<Finalization.Result>(String reason, boolean _) ->
                Finalization.Result.missed(chosen, "finalization failed: " + reason);
            case Outcome.Stopped<Finalization.Result>(String reason) ->
                Finalization.Result.missed(chosen, "finalization was left out: " + reason);
        };
    }

    private static Result solved(
            Phase1Result first,
            List<Phase2Result> paths,
            @Nullable Phase3Result ensemble,
            Choice choice,
            Finalization.Result last,
            List<String> completed,
            Acceptance acceptance) {
        SolutionScript chosen = choice.script();
        SolutionScript single = Strategy.best(first, paths, Optional.empty(), acceptance);
        int bestPath = Strategy.bests(paths).indexOf(single);
        // If hidden rows decided, a better score in the search says nothing against the choice.
        boolean isBeaten = chosen.score().validation() == null && chosen.isScored()
                && single.score().beats(chosen.score(), acceptance.direction());
        BetterScript better = isBeaten
                ? new BetterScript(Refinement.name(bestPath), single.score().known())
                : null;
        List<Gain> gains = GainHistory.of(
                List.of(first.ranked().getFirst(), first.initialSolution(), single, chosen),
                acceptance.direction());
        List<String> lineage =
                Lineage.of(acceptance.direction(), first, paths, bestPath, ensemble, chosen, last);
        choice.refuted().forEach(script -> lineage.add(Lineage.refuted(script)));
        return new Result(first, paths, bestPath, ensemble, chosen, last.solution(),
                last.submission(), last.failure(), last.contamination(), last.contaminationNote(),
                better, gains, completed, lineage);
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
    public PhaseReport report(Result result) {
        return PhaseReport.of(result.chosen())
                .with(PhaseText.SCRIPT, result.finalSolution().content());
    }
}

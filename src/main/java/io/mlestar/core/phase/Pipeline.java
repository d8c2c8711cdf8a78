package io.mlestar.core.phase;

import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.Steps;
import io.mlestar.core.survey.Survey;
import io.mlestar.core.task.ContaminationVerdict;
import io.mlestar.core.task.LoopSettings;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.BetterScript;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The whole of MLE-STAR: Phase 1, L paths of Phase 2 in parallel, Phase 3, finalization (Section 3; REQ-OR-017). Each
/// phase that fails is replaced by the best of the phases before (REQ-OR-043); only Phase 1 is indispensable.
public record Pipeline() implements Phase<Pipeline.Solved> {
    /// What the phases gave; times, money and addresses are added where the run is published.
    ///
    /// @param phase3 null if it was skipped or failed
    /// @param submission null if there is none
    /// @param completed names of the phases that ended as planned
    /// @param submissionFailure why there is none; null if there is one
    /// @param contamination null without references, or if the check was inconclusive
    /// @param contaminationNote why there is no verdict; null if there is one
    /// @param betterScript a path's best script, if it scored better than the one that was finalized; null if none did
    public record Solved(Phase1Result phase1, List<Phase2Result> phase2Results, @Nullable Phase3Result phase3, SolutionScript finalSolution,
            @Nullable Double bestScore, Execution.@Nullable Submission submission, @Nullable String submissionFailure,
            @Nullable ContaminationVerdict contamination, @Nullable String contaminationNote, @Nullable BetterScript betterScript, List<String> completed,
            List<String> lineage) implements PhaseResult {}

    @Override
    public Solved run(Steps steps) {
        LoopSettings loop = steps.context().config().loop();
        MetricDirection direction = steps.context().task().metricDirection();
        List<String> completed = new ArrayList<>();
        steps.outcome(new Survey());    // what it found is part of the context from here on
        Phase1Result phase1 = steps.call(new InitialSolution());
        completed.add("phase1");
        SolutionScript s0 = phase1.initialSolution();

        List<Outcome<Phase2Result>> paths = steps.callAll(IntStream.range(0, loop.numParallelSolutions())
                .mapToObj(path -> new Refinement(path, s0)).toList());
        List<Phase2Result> phase2 = paths.stream()
                .map(path -> path instanceof Outcome.Done<Phase2Result>(var result) ? result : Refinement.failed(s0)).toList();
        if (endedAsPlanned(paths, loop)) {
            completed.add("phase2");
        }

        List<SolutionScript> refined = phase2.stream().map(Phase2Result::bestSolution).toList();
        Phase3Result phase3 = refined.size() > 1
                && steps.outcome(new Ensemble(refined)) instanceof Outcome.Done<Phase3Result>(var result) ? result : null;
        if (phase3 != null && phase3.attempts().size() == loop.ensembleRounds()) {
            completed.add("phase3");
        }
        SolutionScript single = direction.best(refined, SolutionScript::score).orElse(s0);
        SolutionScript ensemble = phase3 == null ? single : phase3.bestEnsemble();
        SolutionScript best = switch (loop.finalSolution()) {
            case ENSEMBLE -> ensemble;
            case BEST, VERIFIED -> direction.best(List.of(single, ensemble), SolutionScript::score).orElse(single);
        };
        BetterScript better = Objects.equals(direction.better(best.score(), single.score()), best.score()) ? null
                : new BetterScript("phase2-path" + refined.indexOf(single), single.knownScore());

        Finalization.Finalized last = switch (steps.outcome(new Finalization(best))) {
            case Outcome.Done<Finalization.Finalized>(var done) -> done;
            case Outcome.Failed<Finalization.Finalized>(String reason, boolean unreadable) ->
                Finalization.Finalized.missed(best, "finalization failed: " + reason);
            case Outcome.Stopped<Finalization.Finalized>(String reason) ->
                Finalization.Finalized.missed(best, "finalization was left out: " + reason);
        };
        if (last.submission() != null && last.submission().wrong() == null) {
            completed.add("finalization");
        }
        return new Solved(phase1, phase2, phase3, last.solution(), best.score(), last.submission(), last.failure(),
                last.contamination(), last.contaminationNote(), better, completed,
                Lineage.of(direction, phase1, phase2, phase3, best, last));
    }

    /// Whether a path did not fail, and none that did not was cut short (REQ-OR-030).
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
        return PhaseReport.ofScore(result.bestScore()).with(PhaseText.SCRIPT, result.finalSolution().content());
    }
}

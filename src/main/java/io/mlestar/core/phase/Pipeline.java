package io.mlestar.core.phase;

import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.Steps;
import io.mlestar.core.survey.Survey;
import io.mlestar.core.task.ContaminationVerdict;
import io.mlestar.core.task.FinalChoice;
import io.mlestar.core.task.LoopSettings;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.BetterScript;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The whole of MLE-STAR: Phase 1, L paths of Phase 2 in parallel, Phase 3, finalization (Section 3; REQ-OR-017). Each
/// phase that fails is replaced by the best of the phases before (REQ-OR-043); only Phase 1 is indispensable.
public record Pipeline() implements Phase<Pipeline.Solved> {
    private static final int MOST_VERIFIED = 4;

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

        List<Refinement> refinements = Refinement.all(phase1, steps.context());
        List<Outcome<Phase2Result>> paths = steps.callAll(refinements);
        List<Phase2Result> phase2 = refinements.stream()
                .map(path -> paths.get(path.path()) instanceof Outcome.Done<Phase2Result>(var result) ? result : path.failed()).toList();
        if (endedAsPlanned(paths, loop)) {
            completed.add("phase2");
        }

        List<SolutionScript> refined = phase2.stream().map(Phase2Result::bestSolution).toList();
        List<SolutionScript> pool = Acceptance.keepsAll(steps.context()) ? pool(phase1, phase2) : List.of();
        Phase3Result phase3 = (refined.size() > 1 || pool.size() > 1)
                && steps.outcome(new Ensemble(refined, pool)) instanceof Outcome.Done<Phase3Result>(var result) ? result : null;
        if (phase3 != null && phase3.attempts().size() == Ensemble.rounds(steps.context().config(), !pool.isEmpty()) + (pool.isEmpty() ? 0 : 1)) {
            completed.add("phase3");
        }
        SolutionScript single = direction.best(refined, SolutionScript::score).orElse(s0);
        SolutionScript ensemble = phase3 == null ? single : phase3.bestEnsemble();
        List<SolutionScript> ranked = switch (loop.finalSolution()) {
            case ENSEMBLE -> List.of(ensemble);
            case BEST -> List.of(direction.best(List.of(single, ensemble), SolutionScript::score).orElse(single));
            case VERIFIED -> verified(Stream.concat(Stream.of(s0), Stream.concat(refined.stream(),
                    phase3 == null ? Stream.empty() : phase3.attempts().stream().map(EnsembleAttempt::solution))).distinct().toList(), single, direction);
        };
        SolutionScript best = ranked.getFirst();
        BetterScript better = loop.finalSolution() == FinalChoice.VERIFIED || Objects.equals(direction.better(best.score(), single.score()), best.score()) ? null
                : new BetterScript("phase2-path" + refined.indexOf(single), single.knownScore());

        Finalization.Finalized last = switch (steps.outcome(new Finalization(best, ranked.subList(1, ranked.size())))) {
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

    /// Scripts whose predictions can be blended, each text once: all that scored in the phases before.
    private static List<SolutionScript> pool(Phase1Result phase1, List<Phase2Result> phase2) {
        Stream<SolutionScript> first = Stream.of(List.of(phase1.initialSolution()), phase1.setAside(), phase1.candidateSolutions()).flatMap(List::stream);
        Stream<SolutionScript> later = phase2.stream().flatMap(path -> path.stepHistory().stream()).flatMap(step -> step.innerLoopAttempts().stream())
                .map(RefinementAttempt::script);
        Map<String, SolutionScript> pool = new LinkedHashMap<>();
        Stream.concat(first, later).filter(script -> script != null && script.validation() != null)
                .forEach(script -> pool.putIfAbsent(script.content(), script));
        return List.copyOf(pool.values());
    }

    /// The best few by the search rows, the best by the other rows first. Those rows have chosen nothing yet, so what was best by luck has no luck there.
    private static List<SolutionScript> verified(List<SolutionScript> scripts, SolutionScript single, MetricDirection direction) {
        List<SolutionScript> few = scripts.stream().filter(script -> script.validation() != null)
                .sorted(Comparator.comparing(SolutionScript::score, direction.bestFirst())).limit(MOST_VERIFIED)
                .sorted(Comparator.comparing(script -> Objects.requireNonNull(script.validation()).select(), direction.bestFirst())).toList();
        return few.isEmpty() ? List.of(direction.best(scripts, SolutionScript::score).orElse(single)) : few;
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

package io.mlestar.core.phase;

import io.mlestar.core.step.Arithmetic.BlendPredictions;
import io.mlestar.core.step.Arithmetic.ScoredBlend;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The blend that greedy selection finds among the predictions of all scripts of a run: no agent,
/// and nothing is trained for it.
///
/// @param library scripts whose predictions the harness keeps, with their seconds
record GreedyEnsemble(List<SolutionScript> library) {
    /// All scripts that Phases 1 and 2 gave and hidden rows scored, each text once, but for those
    /// that overstate their scores.
    static List<SolutionScript> library(
            Phase1Result phase1,
            List<Phase2Result> phase2,
            MetricDirection direction) {
        List<SolutionScript> all = new ArrayList<>(phase1.candidateSolutions());
        phase2.stream()
                .flatMap(path -> path.stepHistory().stream())
                .flatMap(step -> step.innerLoopAttempts().stream())
                .flatMap(attempt -> Stream.ofNullable(attempt.script()))
                .forEach(all::add);
        List<SolutionScript> blendable = new ArrayList<>(blendable(all));
        blendable.removeAll(Overstatement.among(blendable, direction));
        return List.copyOf(blendable);
    }

    static List<SolutionScript> blendable(List<SolutionScript> scripts) {
        Map<String, SolutionScript> distinct = new LinkedHashMap<>();
        scripts.stream()
                .filter(script -> script.isScored() && script.score().validation() != null)
                .forEach(script -> distinct.putIfAbsent(script.content(), script));
        return List.copyOf(distinct.values());
    }

    /// @param scripts that hidden rows scored
    static BlendPredictions blend(List<SolutionScript> scripts, Holdout holdout) {
        boolean isWhole = holdout.folds() == 1
                || scripts.stream().allMatch(script -> script.score().isFolded());
        return new BlendPredictions(
                scripts.stream().map(script -> script.score().trusted().predictions()).toList(),
                holdout.digest(), isWhole);
    }

    /// @return empty if the run has to finish
    Optional<EnsembleAttempt> run(Steps steps) {
        Holdout holdout = Objects.requireNonNull(steps.context().facts().holdout());
        return switch (steps.outcome(blend(library, holdout))) {
            case Outcome.Stopped<ScoredBlend> _ -> Optional.empty();
            case Outcome.Failed<ScoredBlend>(String reason, boolean _) ->
                Optional.of(Round.failed("greedy blend",
                        "the predictions could not be blended: " + reason));
            case Outcome.Done<ScoredBlend>(ScoredBlend blended) -> Optional.of(attempt(blended));
        };
    }

    private EnsembleAttempt attempt(ScoredBlend blended) {
        Blend blend = blended.blend();
        List<Source> members = new ArrayList<>();
        double seconds = 0;
        for (int i = 0; i < library.size(); i++) {
            SolutionScript script = library.get(i);
            if (blend.weights().get(i) > 0) {
                members.add(new Source(String.valueOf(script.step()), blend.weights().get(i)));
                seconds += Objects.requireNonNullElse(script.durationSeconds(), 0.0);
            }
        }
        String how = blend.how().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String plan = members.stream()
                .map(member -> member.weight() + " × " + member.step())
                .collect(Collectors.joining(", ", "greedy blend: ", ", by " + how));
        if (members.size() == 1) {
            return Round.failed(plan, "no blend is better than its best member alone");
        }
        String program = BlendScript.of(blend, library, blended.validation().search());
        SolutionScript script = SolutionScript.unscored(program, SolutionPhase.ENSEMBLE)
                .by(BlendedEnsemble.BLEND)
                .scored(Score.by(blended.validation()))
                .ranFor(seconds)
                .printing(judgement());
        return new EnsembleAttempt(plan, script.score().value(), script, null, null, members);
    }

    /// The blend judges what all of its members do.
    private @Nullable String judgement() {
        boolean isJudged =
                library.stream().allMatch(OwnWords::isJudged);
        return isJudged ? "Judgement: that of its members" : null;
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.step.Arithmetic.BlendPredictions;
import io.mlestar.core.step.Arithmetic.Blended;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.SearchSettings.EnsembleBy;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The blend that greedy selection finds among the predictions of all scripts of a run: no agent, and nothing is trained for it.
///
/// @param library scripts whose predictions the harness keeps, with their seconds
record GreedyEnsemble(List<SolutionScript> library) {
    private record Member(SolutionScript script, int weight) {
        double seconds() {
            return script.durationSeconds() == null ? 0 : script.durationSeconds();
        }
    }

    /// Whether scripts are kept for a blend.
    static boolean isWanted(RunContext context) {
        return context.holdoutDigest() != null && context.config().search().ensemble() != EnsembleBy.PLANNED;
    }

    /// All scripts with a score by the harness that Phases 1 and 2 gave, each text once; none if no blend is wanted.
    static List<SolutionScript> library(Phase1Result phase1, List<Phase2Result> phase2, RunContext context) {
        if (!isWanted(context)) {
            return List.of();
        }
        List<SolutionScript> all = new ArrayList<>(phase1.candidateSolutions());
        all.addAll(phase1.mergedSolutions());
        all.add(phase1.initialSolution());
        phase2.stream().flatMap(path -> path.stepHistory().stream()).flatMap(step -> step.innerLoopAttempts().stream())
                .flatMap(attempt -> Stream.ofNullable(attempt.script())).forEach(all::add);
        return blendable(all);
    }

    static List<SolutionScript> blendable(List<SolutionScript> scripts) {
        Map<String, SolutionScript> distinct = new LinkedHashMap<>();
        scripts.stream().filter(script -> script.validation() != null).forEach(script -> distinct.putIfAbsent(script.content(), script));
        return List.copyOf(distinct.values());
    }

    /// @return empty if the run has to finish
    Optional<EnsembleAttempt> run(Steps steps) {
        int timeout = steps.context().config().limits().solutionTimeoutSeconds();
        String holdout = Objects.requireNonNull(steps.context().holdoutDigest());
        List<SolutionScript> left = library;
        while (true) {
            List<String> keys = left.stream().map(script -> script.knownValidation().predictions()).toList();
            switch (steps.outcome(new BlendPredictions(keys, holdout))) {
                case Outcome.Stopped<Blended> late -> {
                    return Optional.empty();
                }
                case Outcome.Failed<Blended>(String reason, boolean unreadable) -> {
                    return Optional.of(Round.failed("greedy blend", "the predictions could not be blended: " + reason));
                }
                case Outcome.Done<Blended>(Blended blended) -> {
                    List<Member> members = members(left, blended.blend());
                    List<SolutionScript> late = late(members, timeout);
                    if (late.isEmpty()) {
                        return Optional.of(attempt(left, members, blended));
                    }
                    left = left.stream().filter(script -> !late.contains(script)).toList();
                }
            }
        }
    }

    private static List<Member> members(List<SolutionScript> scripts, Blend blend) {
        return IntStream.range(0, scripts.size()).filter(i -> blend.weights().get(i) > 0)
                .mapToObj(i -> new Member(scripts.get(i), blend.weights().get(i))).toList();
    }

    /// Members that have to go, since the blend trains all of them one after the other: those with the least weight, the slowest of equals.
    private static List<SolutionScript> late(List<Member> members, int timeout) {
        List<Member> kept = new ArrayList<>(members);
        kept.sort(Comparator.comparingInt(Member::weight).thenComparing(Comparator.comparingDouble(Member::seconds).reversed()));
        List<SolutionScript> late = new ArrayList<>();
        while (kept.size() > 1 && kept.stream().mapToDouble(Member::seconds).sum() > timeout) {
            late.add(kept.removeFirst().script());
        }
        return late;
    }

    private static EnsembleAttempt attempt(List<SolutionScript> scripts, List<Member> members, Blended blended) {
        Blend blend = blended.blend();
        String plan = members.stream().map(member -> member.weight() + " × " + member.script().step())
                .collect(Collectors.joining(", ", "greedy blend: ", ", by " + blend.how().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        if (members.size() == 1) {
            return Round.failed(plan, "no blend is better than its best member alone");
        }
        double score = blended.validation().search();
        SolutionScript script = SolutionScript.unscored(BlendScript.of(blend, scripts, score), SolutionPhase.ENSEMBLE).by(Ensemble.BLEND).scored(score)
                .ranFor(members.stream().mapToDouble(Member::seconds).sum()).validated(blended.validation());
        return new EnsembleAttempt(plan, script.score(), script, null, null,
                members.stream().map(member -> new Source(String.valueOf(member.script().step()), member.weight())).toList());
    }
}

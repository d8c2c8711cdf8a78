package io.mlestar.core.phase;

import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Digits;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.OutputExcerpt;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.LimitSettings;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Score.Lead;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The last attempt of a search on whole scripts: a round whose plan is to put the methods of the
/// paths' best scripts into one, not only their numbers.
final class Combination {
    private static final int MEMBERS = 3;
    private static final int PRINTED = 1_900;
    private static final int DIGITS = 6;
    private static final int LONGEST_REASON = 200;
    /// The part of the phase's time that scripts have; the rest is for the answer.
    private static final double SCRIPTS = 0.7;
    private static final String BLEND = Prompts.part("combination-blend") + " ";
    private static final String PLAN = Prompts.part("combination-plan") + "\n";

    private Combination() {}

    /// Combines the best scripts of the paths. Where there are not two, others follow, mostly
    /// earlier states of these.
    ///
    /// @param bests of the paths, best first
    /// @param library of the blend
    /// @param blend null if there is none
    /// @param input what the round is compared with
    /// @return empty if there are not two different scripts
    static Optional<Round> of(
            List<SolutionScript> bests,
            List<SolutionScript> library,
            @Nullable EnsembleAttempt blend,
            @Nullable Rival input,
            RunContext context) {
        Map<String, SolutionScript> distinct = new LinkedHashMap<>();
        bests.stream()
                .limit(MEMBERS)
                .forEach(script -> distinct.putIfAbsent(script.content(), script));
        for (SolutionScript script : Acceptance.of(context).ranked(library)) {
            if (distinct.size() < 2) {
                distinct.putIfAbsent(script.content(), script);
            }
        }
        List<SolutionScript> members = List.copyOf(distinct.values());
        if (members.size() < 2) {
            return Optional.empty();
        }
        String plan = plan(members, blend, context.direction()) + time(context);
        return Optional.of(new Round(0, members, input, plan, List.of(), List.of(), List.of()));
    }

    private static String plan(
            List<SolutionScript> members,
            @Nullable EnsembleAttempt blend,
            MetricDirection direction) {
        List<Source> weights = blend == null ? List.of() : blend.members();
        // A blend of a single member is none.
        Double blended = blend == null || weights.size() < 2 ? null : blend.score();
        StringBuilder plan = new StringBuilder(known(blend)).append(PLAN);
        for (int i = 0; i < members.size(); i++) {
            SolutionScript member = members.get(i);
            plan.append("\nSolution ").append(i + 1);
            if (blended != null) {
                plan.append(", weight ").append(weight(member, weights));
            }
            if (i > 0) {
                plan.append(compared(member.score(), members.getFirst().score(), direction));
            }
            plan.append(member.printed() == null || member.printed().isBlank()
                    ? "."
                    : ", printed:\n\n" + OutputExcerpt.of(member.printed(), PRINTED).indent(4));
        }
        if (blended != null) {
            boolean isBetter = direction.isImprovement(blended, members.getFirst().score().known());
            plan.append("\nThe blend's score: ")
                    .append(Digits.of(blended, DIGITS))
                    .append(isBetter ? "." : ", no better than Solution 1 alone.");
        }
        return plan.toString();
    }

    /// The time of one run, of which a script that joins several takes more than each of them did.
    private static String time(RunContext context) {
        LimitSettings limits = context.limits();
        int turns =
                1 + Math.ceilDiv(context.facts().folds() - 1, context.facts().machine().slots());
        double seconds = SCRIPTS * limits.timeBudget().phase3Part() * limits.timeLimitSeconds();
        return "\n\nA run of it has about "
                + (int) Math.min(seconds / turns, limits.solutionTimeoutSeconds()) + " s.";
    }

    private static String known(@Nullable EnsembleAttempt blend) {
        if (blend == null) {
            return "";
        }
        return blend.members().size() > 1
                ? BLEND
                : "Of blending outputs is known: " + Excerpt.line(blend.failure(), LONGEST_REASON)
                        + ". ";
    }

    private static int weight(SolutionScript member, List<Source> weights) {
        return weights.stream()
                .filter(source -> source.step().equals(member.step()))
                .mapToInt(Source::weight)
                .sum();
    }

    /// Paired, since scores of the same rows tell less by themselves.
    private static String compared(Score score, Score first, MetricDirection direction) {
        Lead lead = score.over(first, direction);
        return lead == null ? "" : ", against Solution 1 " + lead.inWords();
    }
}

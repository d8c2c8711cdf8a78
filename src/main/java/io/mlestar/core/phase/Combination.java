package io.mlestar.core.phase;

import io.mlestar.core.base.Digits;
import io.mlestar.core.base.OutputExcerpt;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.SolutionScript;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The last attempt of a search on whole scripts: a round whose plan is to put the methods of a
/// blend's members into one script, not only their numbers.
final class Combination {
    private static final int MEMBERS = 3;
    private static final int PRINTED = 1_900;
    private static final int DIGITS = 6;
    private static final String BLEND =
            "A blend of the outputs of these solutions is known already, with the weights and the score below: a greedy choice by the hidden rows, which one"
                    + " solution alone may beat by luck. ";
    private static final String PLAN =
            """
                    Write one solution that combines their methods, not only their numbers; it need not stay close to any of them. Features of each for the models of all, \
                    one set of folds, and in place of points the distribution that each model predicts, where the metric rewards another value than its mean. Fit the \
                    weights out of fold. What each prints tells where it is good and where it is not: let each count most where it is best, and leave out what brings nothing. \
                    Scores are by hidden rows, and what a solution prints by rows that it holds out itself: their levels differ.
                    """;

    private Combination() {}

    /// Of the best scripts of the paths, then of the members of the blend that count most.
    ///
    /// @param bests of the paths, best first
    /// @param library of the blend
    /// @param blend null if there is none
    /// @param input what the round is compared with
    /// @return empty if there are not two different scripts
    static Optional<Round> of(List<SolutionScript> bests, List<SolutionScript> library, @Nullable EnsembleAttempt blend,
            Decision.@Nullable Rival input) {
        List<Source> blended = blend == null ? List.of() : blend.members();
        Stream<SolutionScript> heavy = blended.stream().sorted(Comparator.comparingInt(Source::weight).reversed())
                .flatMap(member -> library.stream().filter(script -> member.step().equals(script.step())).limit(1));
        Map<String, SolutionScript> distinct = new LinkedHashMap<>();
        Stream.of(bests.stream(), heavy, library.stream()).flatMap(scripts -> scripts)
                .forEach(script -> distinct.putIfAbsent(script.content(), script));
        List<SolutionScript> members = distinct.values().stream().limit(MEMBERS).toList();
        if (members.size() < 2) {
            return Optional.empty();
        }
        // A blend of a single member is none.
        Double score = blend != null && blended.size() > 1 ? blend.score() : null;
        return Optional
                .of(new Round(0, members, input, plan(members, blended, score), List.of(), List.of(), List.of()));
    }

    private static String plan(List<SolutionScript> members, List<Source> weights, @Nullable Double blended) {
        return IntStream.range(0, members.size()).mapToObj(i -> {
            SolutionScript member = members.get(i);
            int weight = weights.stream().filter(source -> source.step().equals(member.step())).mapToInt(Source::weight)
                    .sum();
            return "Solution " + (i + 1) + (blended == null ? "" : ", weight " + weight)
                    + (member.printed() == null || member.printed().isBlank() ? "."
                            : ", printed:\n\n" + OutputExcerpt.of(member.printed(), PRINTED).indent(4));
        }).collect(Collectors.joining("\n", (blended == null ? "" : BLEND) + PLAN + "\n",
                blended == null ? "" : "\nThe blend's score: " + Digits.of(blended, DIGITS) + "."));
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Score.Lead;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.Optional;

/// Compares scripts: those that hidden rows scored with the error of the difference, others as the
/// paper does.
record Acceptance(MetricDirection direction) {
    static Acceptance of(RunContext context) {
        return new Acceptance(context.direction());
    }

    /// The paper's `>=` (Algorithm 1 line 11, Algorithm 2 lines 12 and 21). A script without a
    /// score never takes a place.
    boolean takesPlace(SolutionScript script, Rival best) {
        return script.isScored()
                && direction.isImprovementOrEqual(script.score().known(), best.score().known());
    }

    /// True if a script of a search takes the place of its path's best. The better score wins,
    /// within noise, too: scripts of one path differ by chance as much as by merit. Where one of
    /// them judges what no hidden row can show, it wins unless the other is surely better.
    boolean isKept(SolutionScript script, SolutionScript best) {
        Lead lead = script.score().over(best.score(), direction);
        if (lead == null || !script.isScored()) {
            return false;
        }
        Optional<String> judgement = OwnWords.judgement(script);
        if (judgement.equals(OwnWords.judgement(best))) {
            return lead.gain() > 0;
        }
        return judgement.isPresent()
                ? !best.score().surelyBeats(script.score(), direction)
                : script.score().surelyBeats(best.score(), direction);
    }

    /// Those that are preferred and that none of all surely beats; all if there are none such.
    List<SolutionScript> preferring(
            Predicate<SolutionScript> isPreferred,
            List<SolutionScript> all) {
        List<SolutionScript> preferred = all.stream()
                .filter(isPreferred)
                .filter(script -> all.stream()
                        .noneMatch(it -> it.score().surelyBeats(script.score(), direction)))
                .toList();
        return preferred.isEmpty() ? all : preferred;
    }

    /// The best, the first of equals; empty if none has a score.
    Optional<SolutionScript> best(List<SolutionScript> scripts) {
        return ranked(scripts).stream().findFirst();
    }

    /// Those that have a score, best first; ties keep their order (REQ-P1-023). Where not all are
    /// scored on all folds, the first fold counts.
    List<SolutionScript> ranked(List<SolutionScript> scripts) {
        List<SolutionScript> scored =
                scripts.stream().filter(SolutionScript::isScored).toList();
        return scored.stream()
                .sorted(Comparator.comparing(onCommonRows(scored), direction.bestFirst()))
                .toList();
    }

    /// Orders scripts by all hidden rows together, of which each part counts by its rows; the best
    /// first.
    ///
    /// @param scripts among which it compares; hidden rows scored all of them
    Comparator<SolutionScript> byAllRows(List<SolutionScript> scripts, Holdout hidden) {
        Function<SolutionScript, Double> onSearch = onCommonRows(scripts);
        double rows = (double) hidden.searchRows() + hidden.selectRows();
        return Comparator.comparing(script -> onSearch.apply(script) * (hidden.searchRows() / rows)
                + script.score().trusted().select() * (hidden.selectRows() / rows),
                direction.bestFirst());
    }

    /// The score by rows that all of them were scored on.
    private static Function<SolutionScript, Double> onCommonRows(List<SolutionScript> scored) {
        boolean isByFirst = scored.stream()
                .map(script -> script.score().validation())
                .filter(Objects::nonNull)
                .map(Validation::rows)
                .distinct()
                .count() > 1;
        return script -> isByFirst ? script.score().onFirstFold() : script.score().known();
    }
}

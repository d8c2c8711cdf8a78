package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The direction in which scores get better: higher or lower (REQ-DM-006). All comparisons of
/// scores in the project are here. Any number is better than none.
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum MetricDirection {
    MAXIMIZE, MINIMIZE;

    /// Strictly better (REQ-DM-028).
    public boolean isImprovement(double newScore, double oldScore) {
        return isFirstNumber(newScore, oldScore)
                || (this == MAXIMIZE ? newScore > oldScore : newScore < oldScore);
    }

    /// The paper's `>=` (Algorithm 1 line 11, Algorithm 2 lines 12 and 21; REQ-DM-029): ties count
    /// as better.
    public boolean isImprovementOrEqual(double newScore, double oldScore) {
        return isFirstNumber(newScore, oldScore)
                || (this == MAXIMIZE ? newScore >= oldScore : newScore <= oldScore);
    }

    private static boolean isFirstNumber(double newScore, double oldScore) {
        return Double.isNaN(oldScore) && !Double.isNaN(newScore);
    }

    /// The better one of two scores, either of which may be null; the first of equals.
    public @Nullable Double better(@Nullable Double one, @Nullable Double other) {
        return one == null || other != null && isImprovement(other, one) ? other : one;
    }

    /// The one with the best score; the first of equals. Those without a score do not count.
    public <T> Optional<T> best(Collection<T> of, Function<T, Double> score) {
        return of.stream()
                .filter(one -> score.apply(one) != null)
                .reduce((best, next) -> isImprovement(score.apply(next), score.apply(best))
                        ? next
                        : best);
    }

    /// The difference of two scores, positive if the new one is better.
    public double gain(double newScore, double oldScore) {
        return this == MAXIMIZE ? newScore - oldScore : oldScore - newScore;
    }

    /// Orders scores, the best first.
    public Comparator<Double> bestFirst() {
        Comparator<Double> ofNumbers =
                this == MAXIMIZE ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return Comparator.comparing((Double score) -> score.isNaN()).thenComparing(ofNumbers);
    }

    /// The word that prompts use for a better score.
    public String better() {
        return this == MAXIMIZE ? "higher" : "lower";
    }
}

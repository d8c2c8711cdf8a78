package io.mlestar.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import java.util.Comparator;

/// Whether a higher or a lower score is better (REQ-DM-006). All comparisons of scores in the project are here.
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum MetricDirection {
    MAXIMIZE, MINIMIZE;

    /// Strictly better (REQ-DM-028).
    public boolean isImprovement(double newScore, double oldScore) {
        return this == MAXIMIZE ? newScore > oldScore : newScore < oldScore;
    }

    /// The paper's `>=` (Algorithm 1 line 11, Algorithm 2 lines 12 and 21; REQ-DM-029): ties count as better.
    public boolean isImprovementOrEqual(double newScore, double oldScore) {
        return this == MAXIMIZE ? newScore >= oldScore : newScore <= oldScore;
    }

    /// Orders scores, the best first.
    public Comparator<Double> bestFirst() {
        return this == MAXIMIZE ? Comparator.reverseOrder() : Comparator.naturalOrder();
    }

    /// The word that prompts use for a better score.
    public String better() {
        return this == MAXIMIZE ? "higher" : "lower";
    }
}

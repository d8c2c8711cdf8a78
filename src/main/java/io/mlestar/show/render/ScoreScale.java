package io.mlestar.show.render;

import io.mlestar.core.task.MetricDirection;
import java.util.List;

/// The range of scores that a drawing shows: from the best score to the worst, outliers excepted.
///
/// @param off how many scores lie outside
record ScoreScale(double low, double high, long off) {
    /// Scores are outliers if they are this many times as far from the best one as nine tenths of all.
    private static final double FAR_OFF = 3;
    private static final double AIR = 0.04;

    /// @param scores finite; from 0 to 1 if there are none
    static ScoreScale of(List<Double> scores, MetricDirection direction) {
        if (scores.isEmpty()) {
            return new ScoreScale(0, 1, 0);
        }
        double best = direction.best(scores, score -> score).orElseThrow();
        double[] behind = scores.stream().mapToDouble(score -> Math.abs(score - best)).sorted().toArray();
        double most = behind[behind.length - 1];
        double usual = behind[(behind.length - 1) * 9 / 10];
        double range = usual > 0 && most > FAR_OFF * usual ? usual * 1.2 : most > 0 ? most : Math.max(Math.abs(best) * 0.01, 1e-3);
        double worst = best - direction.gain(range, 0);
        double low = Math.min(best, worst);
        double high = Math.max(best, worst);
        double air = (high - low) * AIR;
        return new ScoreScale(low - air, high + air, scores.stream().filter(score -> score < low - air || score > high + air).count());
    }

    /// From 0 at the foot to 1 at the top; an outlier stands at the edge.
    double height(double score) {
        return (Math.clamp(score, low, high) - low) / (high - low);
    }

    boolean holds(double score) {
        return score >= low && score <= high;
    }
}

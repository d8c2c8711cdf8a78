package io.mlestar.show.render;

import io.mlestar.core.task.MetricDirection;
import java.util.List;

/// The range of scores that a drawing shows: from the best score to the worst, outliers excepted.
///
/// @param off how many scores lie outside
record ScoreScale(double low, double high, long off) {
    /// Scores are outliers if they are this many times as far from the best one as nine tenths of
    /// all.
    private static final double FAR_OFF = 3;
    private static final double AIR = 0.04;
    /// The range of such scores, and the air around it, are doubles too.
    private static final double MOST = Double.MAX_VALUE / 8;
    private static final double LEAST_RANGE = 1e-290;

    /// @param all those that are not finite do not count; from 0 to 1 if there are no others
    static ScoreScale of(List<Double> all, MetricDirection direction) {
        List<Double> scores =
                all.stream()
                        .filter(Double::isFinite)
                        .map(score -> Math.clamp(score, -MOST, MOST))
                        .toList();
        if (scores.isEmpty()) {
            return new ScoreScale(0, 1, 0);
        }
        double best = direction.best(scores, score -> score).orElseThrow();
        double[] behind =
                scores.stream().mapToDouble(score -> Math.abs(score - best)).sorted().toArray();
        double most = behind[behind.length - 1];
        double usual = behind[(behind.length - 1) * 9 / 10];
        double range =
                Math.max(range(usual, most, best), Math.max(8 * Math.ulp(best), LEAST_RANGE));
        double worst = best - direction.gain(range, 0);
        double low = Math.min(best, worst);
        double high = Math.max(best, worst);
        double air = (high - low) * AIR;
        return new ScoreScale(low - air, high + air,
                scores.stream().filter(score -> score < low - air || score > high + air).count());
    }

    /// @param usual how far nine tenths of the scores are behind the best one
    /// @param most how far the last one is
    private static double range(double usual, double most, double best) {
        if (usual > 0 && most > FAR_OFF * usual) {
            return usual * 1.2;
        }
        return most > 0 ? most : Math.max(Math.abs(best) * 0.01, 1e-3);
    }

    /// The height of a score, from 0 at the foot to 1 at the top; an outlier stands at the edge.
    double height(double score) {
        return (Math.clamp(score, low, high) - low) / (high - low);
    }

    boolean holds(double score) {
        return score >= low && score <= high;
    }
}

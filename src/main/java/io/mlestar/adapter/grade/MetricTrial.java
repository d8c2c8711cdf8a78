package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Grading.Scorer;
import io.mlestar.adapter.grade.Predictions.PredictedTexts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.MetricDirection;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Tries a `metric.py` that a model wrote, of which nothing is believed: right labels must have a
/// score, labels in a wrong order another one that is not better, and the same labels the same
/// score when asked again.
final class MetricTrial {
    private static final long SEED = 20_250_616;

    private MetricTrial() {}

    /// @throws Invalid with what is wrong, for the author of the program
    static void check(Grading grading, Scorer metric, MetricDirection direction) {
        Map<String, String[]> solution = grading.solution();
        List<String[]> labels =
                grading.columns()
                        .stream()
                        .map(name -> Objects.requireNonNull(solution.get(name)))
                        .toList();
        Predictions right = new PredictedTexts(labels);
        Predictions mixed = mixed(labels);
        double[] ones = new double[grading.truth().size()];
        Arrays.fill(ones, 1);
        // A call that fails alone says why.
        double best = metric.apply(right).score(ones);
        double other = metric.apply(mixed).score(ones);
        if (best == other) {
            throw new Invalid("labels in a wrong order have the score of the right ones, " + best);
        }
        if (direction.isImprovement(other, best)) {
            throw new Invalid("right labels have the score " + best + " and those in a wrong order "
                    + other
                    + ", but of this task a " + direction.better()
                    + " score is better: give back the negative, or what is left to the best score");
        }
        double[] again = metric.each(List.of(mixed, right, mixed), ones);
        if (!Arrays.equals(again, new double[] {other, best, other})) {
            throw new Invalid("the same labels have the score " + best + " and then " + again[1]
                    + ", in a wrong order "
                    + other + " and then " + again[0] + " and " + again[2]
                    + ": nothing in it may depend on chance, or on what was asked before");
        }
    }

    /// The same rows for all columns.
    private static Predictions mixed(List<String[]> labels) {
        List<Integer> order =
                IntStream.range(0, labels.getFirst().length).boxed().collect(Collectors.toList());
        Collections.shuffle(order, new Random(SEED));
        return new PredictedTexts(
                labels.stream()
                        .map(column -> order.stream()
                                .map(row -> column[row])
                                .toArray(String[]::new))
                        .toList());
    }
}

package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Grading.Scorer;
import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A metric on the parts of hidden labels: the rows of the search, those of the choice, or both.
record PartMetric(Metric metric, Table labels) {
    /// A task's own program sees of the labels what the task knows.
    Grading grading(HiddenRows part, List<String> columns) {
        return new Grading(
                metric.traits().isOfProgram() ? labels.withoutLast(HiddenLabels.MARKS) : labels,
                part.truth(), columns);
    }

    /// The metric on a part, once for any number of predictions. Predictions of runs that learned
    /// from other rows have no order among each other: where the order is all that counts, the
    /// score is the mean of the folds' on which it is defined.
    Scorer scorer(HiddenRows part, List<String> columns) {
        metric.traits()
                .needs()
                .stream()
                .filter(name -> labels.column(name) < 0)
                .findFirst()
                .ifPresent(name -> {
                    throw new Invalid(metric.title() + " needs the column " + name
                            + ", which the training table lacks");
                });
        try {
            Scorer whole = metric.of(grading(part, columns));
            return !metric.isByRank() || part.folds().size() == 1 ? whole : predicted -> {
                WeightedScore score = whole.apply(predicted);
                return weights -> mean(
                        IntStream.range(0, part.folds().size())
                                .mapToObj(fold -> part.within(fold, weights)),
                        score);
            };
        } catch (Invalid e) {
            throw new Invalid("the columns " + Excerpt.line(String.join(", ", columns), 120)
                    + " cannot be scored by "
                    + metric.title()
                    + "; they must be those of the sample submission");
        }
    }

    private static double mean(Stream<double[]> folds, WeightedScore score) {
        return folds.flatMap(weights -> {
            try {
                return Stream.of(score.score(weights));
            } catch (Invalid e) {
                return Stream.empty();
            }
        })
                .mapToDouble(each -> each)
                .average()
                .orElseThrow(
                        () -> new Invalid(
                                "the score is not defined on any fold: the labels of each hold one class only"));
    }
}

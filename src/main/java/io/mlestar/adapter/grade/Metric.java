package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.ClassMetrics.Average;
import io.mlestar.adapter.grade.Grading.Calculation;
import io.mlestar.adapter.grade.Grading.Scorer;
import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A metric that a submission can be graded by here.
///
/// @param title as people read it; [#find] knows it
/// @param calculation of the score
/// @param traits what else is known of it
public record Metric(
        String title,
        MetricDirection direction,
        Calculation calculation,
        MetricTraits traits) {
    public static final Metric ROC_AUC =
            maximized("ROC-AUC", How.RANK_MEAN, Calculations.byColumn(Metrics::rocAuc))
                    .guessed(0.5);
    public static final Metric LOG_LOSS =
            minimized("log loss", How.MEAN, Calculations.logLoss(false));
    public static final Metric ACCURACY =
            maximized("accuracy", How.VOTE, Calculations.byClasses(ClassMetrics::accuracy));
    public static final Metric MACRO_F1 =
            maximized("macro F1", How.VOTE,
                    Calculations.byLabels(ClassMetrics.fBeta(1, Average.MACRO), Average.MACRO));
    public static final Metric RMSE =
            minimized("RMSE", How.MEAN, Calculations.byColumn(Metrics::rmse));
    public static final Metric RMSLE =
            minimized("RMSLE", How.LOG_MEAN, Calculations.byColumn(Metrics::rmsle));

    /// The squares of so large a score can still be summed up, for its error.
    private static final double LARGEST = 1e150;

    /// @param blend how predictions are put together: by what optimizes the metric of them, or for
    ///   an order and for labels by what needs no probabilities
    /// @param isOfLists whether a single column holds lists of labels
    /// @param needs columns of the labels besides the targets
    /// @param chance the score of guessing; empty where it depends on the data
    /// @param isOfProgram whether it is a task's own ([MetricProgram])
    record MetricTraits(
            How blend,
            boolean isOfLists,
            List<String> needs,
            Optional<Double> chance,
            boolean isOfProgram) {
        MetricTraits {
            needs = List.copyOf(needs);
        }
    }

    static Metric maximized(String title, How blend, Calculation score) {
        return new Metric(title, MetricDirection.MAXIMIZE, score,
                new MetricTraits(blend, false, List.of(), Optional.empty(), false));
    }

    static Metric minimized(String title, How blend, Calculation score) {
        return new Metric(title, MetricDirection.MINIMIZE, score,
                new MetricTraits(blend, false, List.of(), Optional.empty(), false));
    }

    /// The score of guessing.
    Metric guessed(double chance) {
        return new Metric(title, direction, calculation, new MetricTraits(traits.blend,
                traits.isOfLists, traits.needs, Optional.of(chance), traits.isOfProgram));
    }

    /// A task's own.
    static Metric ofProgram(String title, MetricDirection direction, How blend, Calculation score) {
        return new Metric(title, direction, score,
                new MetricTraits(blend, false, List.of(), Optional.empty(), true));
    }

    Metric ofLists() {
        return new Metric(title, direction, calculation, new MetricTraits(traits.blend, true,
                traits.needs, traits.chance, traits.isOfProgram));
    }

    /// The same under another name.
    ///
    /// @param needed a column of the labels that it needs
    Metric variant(String name, Calculation score, List<String> needed) {
        return new Metric(name, direction, score, new MetricTraits(traits.blend, traits.isOfLists,
                needed, traits.chance, traits.isOfProgram));
    }

    /// The way to put predictions together.
    ///
    /// @param columns of a submission, besides the id
    How blend(int columns) {
        return traits.isOfLists && columns > 1 ? How.MEAN : traits.blend;
    }

    /// True if it sees the order of predictions alone.
    boolean isByRank() {
        return traits.blend == How.RANK_MEAN;
    }

    /// The way to put together predictions of one script that learned from other rows each time.
    /// They are of one scale, so their order is not all that counts.
    How folds(int columns) {
        return isByRank() ? How.MEAN : blend(columns);
    }

    /// @throws Invalid if the score is not defined for these labels, or then for what was predicted
    Scorer of(Grading grading) {
        Scorer metric = calculation.of(grading);
        return traits.isOfProgram ? metric : predicted -> {
            WeightedScore weighted = metric.apply(predicted);
            return weights -> bounded(weighted.score(weights));
        };
    }

    private static double bounded(double score) {
        if (!(Math.abs(score) <= LARGEST)) {
            throw new Invalid(
                    "the score is not defined: the predictions are too large, their sum is no finite number or more than "
                            + LARGEST);
        }
        return score;
    }

    /// The score of guessing; empty where it depends on the data.
    public Optional<Double> chance() {
        return traits.chance;
    }

    /// The metric that a task calls by one of its usual names; case, spaces and punctuation do not
    /// matter.
    public static Optional<Metric> find(String name) {
        return MetricNames.find(name);
    }

    /// Looks whether a task's direction is that of its metric; of a metric that is not known here
    /// any will do.
    ///
    /// @throws Invalid if it is the other one
    public static void checkDirection(TaskDescription task) {
        find(task.evaluationMetric()).filter(metric -> metric.direction != task.metricDirection())
                .ifPresent(metric -> {
                    String right = metric.direction.name().toLowerCase(Locale.ROOT);
                    throw new Invalid("metric_direction must be " + right + " for " + metric.title
                            + ", of which a "
                            + metric.direction.better() + " one is better");
                });
    }

    /// Says why a task's scores can be computed neither here nor by a program of its own; empty if
    /// they can.
    static Optional<String> unscored(TaskDescription task, Optional<String> program) {
        MetricDirection direction = task.metricDirection();
        boolean isKnown =
                find(task.evaluationMetric()).filter(known -> known.direction == direction)
                        .isPresent();
        return program.isPresent() || isKnown
                ? Optional.empty()
                : Optional.of("the program cannot compute " + task.evaluationMetric() + " where a "
                        + direction.better()
                        + " one is better, and there is no metric.py beside the data");
    }

    /// @throws Invalid naming the metrics that are known
    public static Metric named(String name) {
        return find(name).orElseThrow(() -> new Invalid(
                "evaluation_metric \"" + Excerpt.line(name, 60)
                        + "\" cannot be graded here; known are "
                        + String.join(", ", MetricNames.titles())));
    }
}

package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Grading.Predicted;
import io.mlestar.adapter.grade.Metrics.Weighted;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The metrics that a submission can be graded by here.
public enum Metric {
    ROC_AUC("ROC-AUC", MetricDirection.MAXIMIZE, How.RANK_MEAN, Grading.byColumn(Metrics::rocAuc), "rocauc", "auc", "aucroc", "auroc", "areaunderroccurve",
            "areaundertheroccurve",
            "areaunderthereceiveroperatingcharacteristic", "areaunderthereceiveroperatingcharacteristiccurve"),
    LOG_LOSS("log loss", MetricDirection.MINIMIZE, How.MEAN, Grading::logLoss, "logloss", "logarithmicloss", "crossentropy", "binarycrossentropy",
            "multiclasslogloss"),
    ACCURACY("accuracy", MetricDirection.MAXIMIZE, How.VOTE, Grading.byClass(Metrics::accuracy), "accuracy", "accuracyscore", "categorizationaccuracy"),
    F1("F1", MetricDirection.MAXIMIZE, How.VOTE, Grading::binaryF1, "f1", "f1score", "binaryf1", "f1binary"),
    MACRO_F1("macro F1", MetricDirection.MAXIMIZE, How.VOTE, Grading.byClass(Metrics::macroF1), "macrof1", "f1macro", "macrof1score", "macroaveragedf1",
            "macroaveragedf1score"),
    QWK("quadratic weighted kappa", MetricDirection.MAXIMIZE, How.VOTE, Grading.byColumn(Metrics::quadraticWeightedKappa), "qwk", "quadraticweightedkappa",
            "quadraticallyweightedkappa", "quadraticweightedkappaqwk"),
    RMSE("RMSE", MetricDirection.MINIMIZE, How.MEAN, Grading.byColumn(Metrics::rmse), "rmse", "rootmeansquarederror", "rootmeansquareerror"),
    RMSLE("RMSLE", MetricDirection.MINIMIZE, How.LOG_MEAN, Grading.byColumn(Metrics::rmsle), "rmsle", "rootmeansquaredlogarithmicerror",
            "rootmeansquaredlogerror"),
    MAE("MAE", MetricDirection.MINIMIZE, How.MEDIAN, Grading.byColumn(Metrics::mae), "mae", "meanabsoluteerror");

    /// The squares of so large a score can still be summed up, for its error.
    private static final double LARGEST = 1e150;

    private final String title;
    private final MetricDirection direction;
    private final How blend;
    private final Function<Grading, Function<Predicted, Weighted>> score;
    private final List<String> spellings;

    Metric(String title, MetricDirection direction, How blend, Function<Grading, Function<Predicted, Weighted>> score, String... spellings) {
        this.title = title;
        this.direction = direction;
        this.blend = blend;
        this.score = score;
        this.spellings = List.of(spellings);
    }

    public String title() {
        return title;
    }

    public MetricDirection direction() {
        return direction;
    }

    /// How predictions are put together: by what minimizes the metric of them, or for an order and for labels by what needs no probabilities.
    How blend() {
        return blend;
    }

    /// Whether it sees the order of predictions alone.
    boolean isByRank() {
        return blend == How.RANK_MEAN;
    }

    /// How predictions of one script are put together that learned from other rows each time. They are of one scale, so their order is not all that counts.
    How folds() {
        return isByRank() ? How.MEAN : blend;
    }

    /// @throws Invalid if the score is not defined for these labels, or then for what was predicted
    Function<Predicted, Weighted> of(Grading grading) {
        Function<Predicted, Weighted> metric = score.apply(grading);
        return predicted -> {
            Weighted weighted = metric.apply(predicted);
            return weights -> bounded(weighted.score(weights));
        };
    }

    private static double bounded(double score) {
        if (!(Math.abs(score) <= LARGEST)) {
            throw new Invalid("the score is not defined: the predictions are too large, their sum is no finite number or more than " + LARGEST);
        }
        return score;
    }

    /// The score of guessing; empty where it depends on the data.
    public Optional<Double> chance() {
        return switch (this) {
            case ROC_AUC -> Optional.of(0.5);
            case QWK -> Optional.of(0.0);
            case LOG_LOSS, ACCURACY, F1, MACRO_F1, RMSE, RMSLE, MAE -> Optional.empty();
        };
    }

    /// The metric that a task calls by one of its usual names; case, spaces and punctuation do not matter.
    public static Optional<Metric> find(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return Arrays.stream(values()).filter(metric -> metric.spellings.contains(plain)).findFirst();
    }

    /// Looks whether a task's direction is that of its metric; of a metric that is not known here any will do.
    ///
    /// @throws Invalid if it is the other one
    public static void checkDirection(TaskDescription task) {
        find(task.evaluationMetric()).filter(metric -> metric.direction != task.metricDirection()).ifPresent(metric -> {
            String right = metric.direction.name().toLowerCase(Locale.ROOT);
            throw new Invalid("metric_direction must be " + right + " for " + metric.title + ", of which a " + metric.direction.better() + " one is better");
        });
    }

    /// @throws Invalid naming the metrics that are known
    public static Metric named(String name) {
        return find(name).orElseThrow(() -> new Invalid("evaluation_metric \"" + Excerpt.line(name, 60) + "\" cannot be graded here; known are "
                + Arrays.stream(values()).map(Metric::title).collect(Collectors.joining(", "))));
    }
}

package io.mlestar.app.cli.draft;

import io.mlestar.adapter.grade.Metric;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds contradictions between the data, the metric and the description of a task before any model
/// is paid.
///
/// @param isDescribed whether the user has described the task
/// @param isDirectionGiven whether the user has given the metric's direction
/// @param isProgrammed whether a metric.py computes the metric
/// @param read the metric that the description names
record Contradictions(
        DataForm data,
        TaskDescription task,
        boolean isDescribed,
        boolean isDirectionGiven,
        boolean isProgrammed,
        Optional<DescribedMetric> read) {
    /// A sentence each, fit for one line.
    List<String> all() {
        List<String> found = new ArrayList<>(data.doubts());
        ofMetric(found);
        ofDescription(found);
        return found.stream().map(DataReading::plain).toList();
    }

    private void ofMetric(List<String> found) {
        String metric = task.evaluationMetric();
        String name = DescribedMetric.plain(metric);
        if (Stream.of("squared", "absolute", "rmse", "rmsle", "mse", "mae", "mape", "r2")
                .anyMatch(name::contains)) {
            data.words()
                    .stream()
                    .limit(1)
                    .forEach(clause -> found.add(metric + " measures numbers, but " + clause));
        } else if (Stream.of("accuracy", "auc", "f1", "kappa", "qwk").anyMatch(name::contains)) {
            data.numbers()
                    .stream()
                    .limit(1)
                    .forEach(clause -> found.add(metric + " compares classes, but " + clause));
        }
        if (Metric.find(metric).isEmpty() && !isProgrammed) {
            found.add(metric
                    + " cannot be computed here: neither mlestar grade nor search: strong knows it, without a metric.py"
                    + (isDirectionGiven
                            ? ""
                            : "; a " + better()
                                    + " one counts as better, unless --direction says otherwise"));
        }
    }

    private void ofDescription(List<String> found) {
        read.filter(other -> !other.name().equalsIgnoreCase(task.evaluationMetric())
                && !title(other.name()).equals(title(task.evaluationMetric())))
                .ifPresent(other -> found.add("the metric is " + task.evaluationMetric()
                        + ", but the description says \"" + other.sentence() + "\""));
        if (isDescribed) {
            DescribedMetric.directionIn(task.description())
                    .filter(said -> said != task.metricDirection())
                    .ifPresent(said -> found.add("of " + task.evaluationMetric()
                            + " a " + better() + " one is better, but the description says that a "
                            + better(said)
                            + " one is"));
        }
    }

    private static Optional<String> title(String metric) {
        return Metric.find(metric).map(Metric::title);
    }

    private String better() {
        return better(task.metricDirection());
    }

    static String better(MetricDirection direction) {
        return direction == MetricDirection.MAXIMIZE ? "higher" : "lower";
    }
}

package io.mlestar.app.cli.draft;

import io.mlestar.adapter.grade.Metric;
import io.mlestar.app.cli.draft.DataShape.ColumnShape;
import io.mlestar.app.cli.draft.DataShape.TableShape;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Where the data, the metric and the description of a task contradict each other, while no model has been paid yet.
///
/// @param targets columns to be predicted; empty if only the description tells
/// @param isDescribed whether the user has described the task
/// @param isDirectionGiven whether the user has given the metric's direction
/// @param isProgrammed whether a metric.py computes the metric
/// @param read the metric that the description names
record Contradictions(DataShape data, List<String> targets, TaskDescription task, boolean isDescribed, boolean isDirectionGiven,
        boolean isProgrammed, Optional<DescribedMetric> read) {
    /// More different numbers than these are no classes.
    private static final int MANY_VALUES = 100;
    /// Fewer rows can neither be learned from nor held out.
    private static final int FEW_ROWS = 10;

    /// A sentence each, fit for one line.
    List<String> all() {
        List<String> found = new ArrayList<>(data.doubts());
        ofTables(found);
        ofMetric(found);
        ofDescription(found);
        return found.stream().map(DataReading::plain).toList();
    }

    private void ofTables(List<String> found) {
        TableShape train = data.train();
        TableShape test = data.test();
        if (train != null && train.rows() < FEW_ROWS) {
            found.add(train.path() + " has " + train.rows() + " rows: too few to learn from");
        }
        if (train != null && test == null && data.submission() == null && !isDescribed) {
            found.add("there is neither a test table nor a sample submission: nothing says what is to be predicted");
        }
        if (test != null) {
            targets.stream().filter(name -> test.column(name).isPresent()).forEach(name -> found.add(test.path() + " holds the target " + name
                    + ", too: scripts would see the answers; take the column out of it"));
        }
    }

    private void ofMetric(List<String> found) {
        String metric = task.evaluationMetric();
        String name = metric.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        if (Stream.of("squared", "absolute", "rmse", "rmsle", "mse", "mae", "mape", "r2").anyMatch(name::contains)) {
            targets(Contradictions::isOfWords).forEach(column -> found.add(metric + " measures numbers, but " + column.name()
                    + " holds words" + (column.values().isEmpty() ? "" : ", such as " + column.values().getFirst())));
        } else if (Stream.of("accuracy", "auc", "f1", "kappa", "qwk").anyMatch(name::contains)) {
            targets(column -> column.kind().equals("real") && column.distinct() > MANY_VALUES).forEach(column -> found.add(metric
                    + " compares classes, but " + column.name() + " holds " + column.distinct() + " different numbers"));
        }
        if (Metric.find(metric).isEmpty() && !isProgrammed) {
            found.add(metric + " cannot be computed here: neither mlestar grade nor validation: folds know it, without a metric.py"
                    + (isDirectionGiven ? "" : "; a " + better() + " one counts as better, unless --direction says otherwise"));
        }
    }

    private void ofDescription(List<String> found) {
        read.filter(other -> !other.name().equalsIgnoreCase(task.evaluationMetric()) && !title(other.name()).equals(title(task.evaluationMetric())))
                .ifPresent(other -> found.add("the metric is " + task.evaluationMetric() + ", but the description says \"" + other.sentence() + "\""));
        if (isDescribed) {
            DescribedMetric.directionIn(task.description()).filter(said -> said != task.metricDirection())
                    .ifPresent(said -> found.add("of " + task.evaluationMetric()
                            + " a " + better() + " one is better, but the description says that a " + better(said) + " one is"));
        }
    }

    private static Optional<String> title(String metric) {
        return Metric.find(metric).map(Metric::title);
    }

    private String better() {
        return better(task.metricDirection());
    }

    private static String better(MetricDirection direction) {
        return direction == MetricDirection.MAXIMIZE ? "higher" : "lower";
    }

    private Stream<ColumnShape> targets(Predicate<ColumnShape> which) {
        return Stream.ofNullable(data.train()).flatMap(train -> train.columns().stream()).filter(column -> targets.contains(column.name())).filter(which);
    }

    private static boolean isOfWords(ColumnShape column) {
        return column.kind().equals("category") || column.kind().equals("text")
                || column.kind().equals("boolean") && !column.values().contains("0");
    }
}

package io.mlestar.app.draft;

import io.mlestar.app.draft.DataShape.ColumnShape;
import io.mlestar.core.survey.DataReading;
import io.mlestar.show.grade.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Where the data, the metric and the description of a task contradict each other, in a sentence each: this is the time to say so, since no
/// model has been paid yet.
final class Contradictions {
    private static final Pattern OF_NUMBERS = Pattern.compile("squared|absolute|\\b(n?rmse|r?msle|mse|s?mape|m(ed)?ae|r2)\\b|r\\^2");
    private static final Pattern OF_CLASSES = Pattern.compile("accuracy|auc\\b|\\b(macro[- ]?)?f1\\b|kappa|\\bqwk\\b");
    private static final int MANY_VALUES = 100;

    private Contradictions() {}

    /// @param said what the description says of the metric
    static List<String> of(DataShape data, List<String> targets, String metric, Optional<DescribedMetric> said) {
        List<String> found = new ArrayList<>(data.doubts());
        String name = metric.toLowerCase(Locale.ROOT);
        if (OF_NUMBERS.matcher(name).find()) {
            targets(data, targets, Contradictions::isOfNames).forEach(column -> found.add(metric + " measures numbers, but " + column.name()
                    + " holds words" + (column.values().isEmpty() ? "" : ", such as " + column.values().getFirst())));
        } else if (OF_CLASSES.matcher(name).find()) {
            targets(data, targets, column -> column.kind().equals("real") && column.distinct() > MANY_VALUES).forEach(column -> found.add(metric
                    + " compares classes, but " + column.name() + " holds " + column.distinct() + " different numbers"));
        }
        said.filter(other -> !other.name().equalsIgnoreCase(metric) && !Metric.find(other.name()).equals(Metric.find(metric)))
                .ifPresent(other -> found.add("the metric is " + metric + ", but the description says \"" + other.sentence() + "\""));
        return found.stream().map(DataReading::plain).toList();
    }

    private static Stream<ColumnShape> targets(DataShape data, List<String> targets, Predicate<ColumnShape> which) {
        return data.train() == null ? Stream.empty() : data.train().columns().stream().filter(column -> targets.contains(column.name())).filter(which);
    }

    private static boolean isOfNames(ColumnShape column) {
        return column.kind().equals("category") || column.kind().equals("text")
                || column.kind().equals("boolean") && !column.values().contains("0");
    }
}

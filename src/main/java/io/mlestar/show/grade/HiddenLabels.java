package io.mlestar.show.grade;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.Validation;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The labels of the rows that the harness hides from the scripts of a run: scores predictions for them, with the errors of the scores.
///
/// @param labels with the columns `part`, `search` or `select`, and `group`: rows of one group are drawn together
public record HiddenLabels(Table labels, Metric metric) {
    private static final String PART = "part";
    private static final String GROUP = "group";
    private static final String SEARCH = "search";
    private static final String SELECT = "select";
    private static final int DRAWS = 50;
    private static final long SEED = 7;
    private static final MathContext DIGITS = new MathContext(6);

    /// @param csv as the survey's script wrote it
    /// @param metric name as the task gives it
    /// @throws Invalid if the metric is not known
    public static HiddenLabels of(byte[] csv, String metric) {
        return new HiddenLabels(Table.of("the table of labels", csv), Metric.named(metric));
    }

    /// @param key where the predictions are stored
    /// @throws Invalid with one line for the script's author, which shows no label
    public Validation validate(Table predictions, String key) {
        return validate(Grading.of(predictions, labels), key);
    }

    Validation validate(Grading grading, String key) {
        Grading.Score score = metric.score(grading);
        double search = score.applyAsDouble(weights(SEARCH));
        double select = score.applyAsDouble(weights(SELECT));
        return new Validation(key, search, select, draws(score, SEARCH, search), draws(score, SELECT, select));
    }

    /// The score by which scripts are compared during the search.
    double search(Grading grading) {
        return metric.score(grading).applyAsDouble(weights(SEARCH));
    }

    private double[] weights(String part) {
        int column = labels.column(PART);
        return labels.rows().values().stream().mapToDouble(row -> row.getField(column).equals(part) ? 1 : 0).toArray();
    }

    /// The score on resamples of the part's groups. They depend on the labels alone, so they are the same for all scripts of a run. A resample on which the
    /// metric is not defined, as one of a single class, counts as the part itself.
    private List<Double> draws(Grading.Score score, String part, double whole) {
        double[] rows = weights(part);
        int column = labels.column(GROUP);
        String[] groupOf = labels.rows().values().stream().map(row -> row.getField(column)).toArray(String[]::new);
        List<String> groups = IntStream.range(0, rows.length).filter(i -> rows[i] > 0).mapToObj(i -> groupOf[i]).distinct().toList();
        Map<String, Integer> places = new HashMap<>();
        groups.forEach(group -> places.put(group, places.size()));
        SplittableRandom random = new SplittableRandom(SEED);
        return Stream.generate(() -> {
            int[] times = new int[groups.size()];
            IntStream.range(0, times.length).forEach(i -> times[random.nextInt(times.length)]++);
            return IntStream.range(0, rows.length).mapToDouble(i -> rows[i] > 0 ? times[places.get(groupOf[i])] : 0).toArray();
        }).limit(DRAWS).map(weights -> new BigDecimal(drawn(score, weights, whole)).round(DIGITS).doubleValue()).toList();
    }

    private static double drawn(Grading.Score score, double[] weights, double whole) {
        try {
            return score.applyAsDouble(weights);
        } catch (Invalid e) {
            return whole;
        }
    }

    /// The submission as the task asks for it: without the hidden rows.
    public List<List<String>> withoutHidden(Table predictions) {
        return predictions.rows().entrySet().stream().filter(row -> !labels.rows().containsKey(row.getKey())).map(row -> row.getValue().getFields()).toList();
    }
}

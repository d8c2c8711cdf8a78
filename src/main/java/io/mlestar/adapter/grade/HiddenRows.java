package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.adapter.grade.Predictions.SubmittedRows;
import io.mlestar.core.base.Invalid;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rows that scores are by: those of the search, or those for the final choice.
///
/// @param folds of the rows, in order: their rows lie one fold after the other
record HiddenRows(List<String> ids, List<CsvRecord> truth, List<Fold> folds) {
    /// All scripts of a run are scored on the same resamples.
    private static final long SEED = 20_250_615;
    private static final MathContext DIGITS = new MathContext(6);
    /// The last columns of the labels, counted from the end: the group and the part of each row.
    /// They are not found by name, since a target may have the same name.
    private static final int GROUP = 2;
    private static final int PART = 1;

    static HiddenRows of(Table labels, List<String> parts) {
        List<Fold> folds = new ArrayList<>();
        List<CsvRecord> rows = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (String part : parts) {
            Map<String, Integer> numbers = new HashMap<>();
            List<Integer> groups = new ArrayList<>();
            labels.rows().forEach((id, row) -> {
                if (part(row).equals(part)) {
                    ids.add(id);
                    rows.add(row);
                    groups.add(numbers.computeIfAbsent(mark(row, GROUP), _ -> numbers.size()));
                }
            });
            if (groups.isEmpty()) {
                throw new Invalid(labels.what() + " has no row for " + part);
            }
            folds.add(new Fold(groups.stream().mapToInt(group -> group).toArray(), numbers.size()));
        }
        return new HiddenRows(ids, rows, folds);
    }

    /// The predictions of a submission for these rows.
    SubmittedRows of(Table submission) {
        return new SubmittedRows(submission, ids.stream().map(submission.rows()::get).toList());
    }

    /// Each row once.
    double[] all() {
        double[] ones = new double[ids.size()];
        Arrays.fill(ones, 1);
        return ones;
    }

    /// Keeps the weights of one fold's rows, and gives the others none.
    double[] within(int fold, double[] weights) {
        int from = folds.subList(0, fold).stream().mapToInt(one -> one.groups().length).sum();
        double[] within = new double[weights.length];
        System.arraycopy(weights, from, within, from, folds.get(fold).groups().length);
        return within;
    }

    /// Each fold's rows once.
    Stream<double[]> each() {
        return IntStream.range(0, folds.size()).mapToObj(fold -> within(fold, all()));
    }

    /// Scores, with null where the metric is not defined.
    static List<@Nullable Double> orNull(double[] scores) {
        return Arrays.stream(scores)
                .<@Nullable Double>mapToObj(
                        score -> Double.isFinite(score) ? Double.valueOf(score) : null)
                .toList();
    }

    /// Weights of the rows on each resample, which draws whole groups, and from each fold as many
    /// as that has.
    List<double[]> draws(Draws how) {
        // Each fold has random numbers of its own: with the same ones, folds of one size would be
        // wrong together.
        List<Random> chances =
                IntStream.range(0, folds.size()).mapToObj(fold -> new Random(SEED + fold)).toList();
        return Stream.generate(() -> IntStream.range(0, folds.size())
                .mapToObj(fold -> folds.get(fold).drawn(chances.get(fold), how.halves()))
                .flatMapToDouble(Arrays::stream)
                .toArray()).limit(how.number()).toList();
    }

    /// The rows of both.
    HiddenRows and(HiddenRows others) {
        return new HiddenRows(joined(ids, others.ids), joined(truth, others.truth),
                joined(folds, others.folds));
    }

    private static <T> List<T> joined(List<T> some, List<T> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    /// The score on all rows, then that on each resample. One on which the metric is not defined,
    /// of one class only for example, is left out: the labels decide that, so it is for all
    /// scripts.
    List<Double> scores(WeightedScore metric, Draws how) {
        double[] scores =
                metric.scores(Stream.concat(Stream.of(all()), draws(how).stream()).toList());
        // Says why it is not defined.
        double whole = Double.isNaN(scores[0]) ? metric.score(all()) : scores[0];
        List<Double> drawn = Arrays.stream(scores)
                .skip(1)
                .filter(score -> !Double.isNaN(score))
                .mapToObj(HiddenRows::rounded)
                .toList();
        return Stream
                .concat(Stream.of(whole),
                        drawn.size() > 1 ? drawn.stream() : Stream.of(whole, whole))
                .toList();
    }

    static double rounded(double score) {
        return new BigDecimal(score).round(DIGITS).doubleValue();
    }

    /// The draws of rows.
    ///
    /// @param halves half of the groups without repetition, whose scores vary as much as those of
    ///   as many with repetition: no id comes twice
    record Draws(int number, boolean halves) {
        static final Draws USUAL = new Draws(50, false);
    }

    /// Some of the rows.
    ///
    /// @param groups number of the group of each row, from 0
    /// @param number of groups
    record Fold(int[] groups, int number) {
        double[] drawn(Random chance, boolean halves) {
            int[] drawn = new int[number];
            if (halves) {
                List<Integer> order = new ArrayList<>(IntStream.range(0, number).boxed().toList());
                Collections.shuffle(order, chance);
                order.subList(0, (number + 1) / 2).forEach(group -> drawn[group] = 1);
            } else {
                chance.ints(number, 0, number).forEach(group -> drawn[group]++);
            }
            return Arrays.stream(groups).mapToDouble(group -> drawn[group]).toArray();
        }
    }

    static String part(CsvRecord row) {
        return mark(row, PART);
    }

    private static String mark(CsvRecord row, int fromLast) {
        return row.getField(row.getFieldCount() - fromLast).strip();
    }
}

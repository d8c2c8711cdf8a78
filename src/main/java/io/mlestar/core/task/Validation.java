package io.mlestar.core.task;

import io.mlestar.core.base.Invalid;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Scores that the harness computed from a script's predictions for rows whose labels no script
/// sees: comparable, and not the script's own word.
///
/// @param rows names the rows that `search` is by: the digest of the hold-out, and of one fold of
///   several its number, e.g. `3fd3…/0`. Scores by other rows are not compared
/// @param predictions key of the submission in the store
/// @param search score by which scripts are compared while the run goes on
/// @param select score on other rows, by which the final script is chosen among the best
/// @param searchDraws `search` on resamples of its rows, whole groups where there are groups; the
///   resamples are the same for all scripts of a run
/// @param selectDraws `select` likewise
/// @param first the part of `search` that is by the first fold, for comparisons with scripts that
///   have no other; null unless it is by several
/// @param folds the score on each fold, for people and agents; null on a fold where the metric is
///   not defined; empty unless `search` is by several
public record Validation(
        String rows,
        String predictions,
        double search,
        double select,
        List<Double> searchDraws,
        List<Double> selectDraws,
        @Nullable Sample first,
        List<@Nullable Double> folds) {
    /// A score on some of the rows.
    ///
    /// @param rows as of a validation
    public record Sample(String rows, double score, List<Double> draws) {
        public Sample {
            Invalid.text("rows", rows);
            draws = List.copyOf(draws);
            if (draws.size() < 2) {
                throw new Invalid("a validation needs at least 2 draws, to know its error");
            }
        }
    }

    /// A script is surely worse if it is by so many standard errors of the difference.
    private static final double SURELY = 2;
    /// A task's own program gives so many draws at most, and what the harness computes itself has
    /// more.
    public static final int COSTLY = 25;

    public Validation {
        Invalid.text("predictions", predictions);
        searchDraws = new Sample(rows, search, searchDraws).draws();
        selectDraws = new Sample(rows, select, selectDraws).draws();
        folds = Invalid.optionalElements(folds);
    }

    /// The validation by one fold, or by a part of the rows.
    public Validation(
            String rows,
            String predictions,
            double search,
            double select,
            List<Double> searchDraws,
            List<Double> selectDraws) {
        this(rows, predictions, search, select, searchDraws, selectDraws, null, List.of());
    }

    /// The same of another file with these predictions.
    public Validation of(String key) {
        return new Validation(rows, key, search, select, searchDraws, selectDraws, first, folds);
    }

    /// The same with what the first fold gave, if it lacks that.
    public Validation with(Validation one) {
        return first != null
                ? this
                : new Validation(rows, predictions, search, select, searchDraws, selectDraws,
                        new Sample(one.rows, one.search, one.searchDraws), folds);
    }

    /// True if each score costs much time: a task's own program computed it, or only few draws
    /// could be.
    public boolean isCostly() {
        return searchDraws.size() <= COSTLY;
    }

    /// Standard error of `search`, in units of the metric.
    public double searchError() {
        return deviation(searchDraws);
    }

    public double selectError() {
        return deviation(selectDraws);
    }

    /// `search` by rows that the other is by, too: all, or those of the first fold.
    ///
    /// @throws Invalid if there are none
    public Sample on(Validation other) {
        return common(other).orElseThrow(
                () -> new Invalid(
                        "scores by other rows cannot be compared: " + rows + " and " + other.rows));
    }

    /// True if there are rows by which both are computed.
    public boolean isComparable(Validation other) {
        return common(other).isPresent();
    }

    private Optional<Sample> common(Validation other) {
        return samples().filter(
                mine -> other.samples().anyMatch(theirs -> theirs.rows().equals(mine.rows())))
                .findFirst();
    }

    private Stream<Sample> samples() {
        return Stream.of(new Sample(rows, search, searchDraws), first).filter(Objects::nonNull);
    }

    /// The difference of the two `search` scores, positive if this one is better.
    public double gain(Validation than, MetricDirection direction) {
        return direction.gain(on(than).score(), than.on(this).score());
    }

    /// Standard error of the difference of two scripts' `search`, paired: both are scored on the
    /// same resamples.
    public double errorOfGain(Validation other) {
        return deviation(differences(on(other).draws(), other.on(this).draws()));
    }

    /// The gain on each fold, null where it is not known; empty unless both are by the same folds.
    public List<@Nullable Double> gains(Validation than, MetricDirection direction) {
        if (!rows.equals(than.rows) || folds.size() != than.folds.size()) {
            return List.of();
        }
        List<@Nullable Double> gains = new ArrayList<>();
        for (int fold = 0; fold < folds.size(); fold++) {
            Double mine = folds.get(fold);
            Double theirs = than.folds.get(fold);
            gains.add(mine == null || theirs == null
                    ? null
                    : Double.valueOf(direction.gain(mine, theirs)));
        }
        return gains;
    }

    /// True if it is worse beyond what chance explains.
    public boolean isSurelyWorse(Validation than, MetricDirection direction) {
        return gain(than, direction) < -SURELY * errorOfGain(than);
    }

    /// True if its `select` is worse beyond what chance explains.
    public boolean isSurelyWorseOnSelect(Validation than, MetricDirection direction) {
        return direction.gain(select, than.select) < -SURELY * errorOfSelectGain(than);
    }

    /// Standard error of the difference of `select`, whose rows are the same for all folds.
    public double errorOfSelectGain(Validation other) {
        on(other);
        return deviation(differences(selectDraws, other.selectDraws));
    }

    private static List<Double> differences(List<Double> one, List<Double> other) {
        if (one.size() != other.size()) {
            throw new Invalid("validations with other numbers of draws cannot be compared");
        }
        return IntStream.range(0, one.size()).mapToObj(i -> one.get(i) - other.get(i)).toList();
    }

    private static double deviation(List<Double> draws) {
        double mean = draws.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return Math.sqrt(draws.stream().mapToDouble(draw -> (draw - mean) * (draw - mean)).sum()
                / (draws.size() - 1));
    }
}

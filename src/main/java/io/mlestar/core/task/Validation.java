package io.mlestar.core.task;

import io.mlestar.core.base.Invalid;
import java.util.List;
import java.util.stream.IntStream;

/// Scores that the harness computed from a script's predictions for rows whose labels no script sees: comparable, and not the script's own word.
///
/// @param predictions key of the submission in the store
/// @param search score by which scripts are compared while the run goes on
/// @param select score on other rows, by which the final script is chosen among the best
/// @param searchDraws `search` on resamples of its rows, whole groups where there are groups; the resamples are the same for all scripts of a run
/// @param selectDraws `select` likewise
public record Validation(String predictions, double search, double select, List<Double> searchDraws, List<Double> selectDraws) {
    public Validation {
        Invalid.text("predictions", predictions);
        searchDraws = List.copyOf(searchDraws);
        selectDraws = List.copyOf(selectDraws);
        if (searchDraws.size() < 2 || selectDraws.size() < 2) {
            throw new Invalid("a validation needs at least 2 draws, to know its error");
        }
    }

    /// Standard error of `search`, in units of the metric.
    public double searchError() {
        return deviation(searchDraws);
    }

    public double selectError() {
        return deviation(selectDraws);
    }

    /// Standard error of the difference of two scripts' `search`, paired: both are scored on the same resamples.
    public double errorOfGain(Validation other) {
        return deviation(differences(searchDraws, other.searchDraws));
    }

    /// The same error for `select`.
    public double errorOfSelectGain(Validation other) {
        return deviation(differences(selectDraws, other.selectDraws));
    }

    private static List<Double> differences(List<Double> one, List<Double> other) {
        if (one.size() != other.size()) {
            throw new Invalid("validations of different runs cannot be compared");
        }
        return IntStream.range(0, one.size()).mapToObj(i -> one.get(i) - other.get(i)).toList();
    }

    private static double deviation(List<Double> draws) {
        double mean = draws.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return Math.sqrt(draws.stream().mapToDouble(draw -> (draw - mean) * (draw - mean)).sum() / (draws.size() - 1));
    }
}

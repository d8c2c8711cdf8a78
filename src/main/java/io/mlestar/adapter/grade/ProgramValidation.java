package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.HiddenRows.Draws;
import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.adapter.grade.Predictions.PredictedTexts;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A validation by a task's own program: all of its scores come from one process, and there are no
/// more of them than are used.
record ProgramValidation(HiddenRows search, HiddenRows select, Draws draws, WantedScores wanted) {
    /// The wanted scores. Errors that are not asked for are 0, and *select* is as the search.
    enum WantedScores {
        /// The scores of the search and of *select*, and that of the first fold of several, each
        /// with its error.
        ALL,
        /// The scores of a script's folds together, and the score of each fold. The error of the
        /// first fold is known by then.
        FOLDS,
        /// The score of the first fold decides whether the script is run on the others. If that
        /// would take too long, the script may be chosen by it: *select* has no error.
        FIRST_FOLD,
        /// The score of the sample submission, to see that the metric is defined on the fold.
        /// Predictions of a script for it are scored with the other folds.
        FURTHER_FOLD,
        SEARCH
    }

    /// A score, then that on each resample.
    private record ScoreSpan(int from, int scores) {}

    /// Predictions for the rows of the search, then for those of *select*.
    static Predictions joined(Predictions search, Predictions select, int columns) {
        return new PredictedTexts(IntStream.range(0, columns)
                .mapToObj(column -> Stream.of(search, select)
                        .flatMap(part -> Arrays.stream(part.texts(column)))
                        .toArray(String[]::new))
                .toList());
    }

    /// Keeps predictions for one fold without a score: they are scored with those for the others.
    static Score later(String rows, String predictions) {
        List<Double> none = List.of(0.0, 0.0);
        return Score.withoutValue(new Validation(rows, predictions, 0, 0, none, none));
    }

    /// @param metric on the rows of the search, then those of *select*
    Validation of(String rows, String key, WeightedScore metric) {
        List<double[]> weights = new ArrayList<>();
        boolean isFolded = search.folds().size() > 1;
        ScoreSpan searched =
                add(search, wanted != WantedScores.FURTHER_FOLD, this::ofSearch, weights);
        ScoreSpan selected = switch (wanted) {
            case ALL, FOLDS -> add(select, true, this::ofSelect, weights);
            case FIRST_FOLD -> add(select, false, this::ofSelect, weights);
            case FURTHER_FOLD, SEARCH -> searched;
        };
        ScoreSpan first = wanted == WantedScores.ALL && isFolded
                ? add(search, true, each -> ofSearch(search.within(0, each)), weights)
                : null;
        int each = weights.size();
        if (wanted == WantedScores.FOLDS && isFolded) {
            search.each().map(this::ofSearch).forEach(weights::add);
        }
        double[] scores = metric.scores(weights);
        Validation.Sample ofFirst = first == null
                ? null
                : new Validation.Sample(rows + "/0", whole(first, scores, weights, metric),
                        drawn(first, scores));
        return new Validation(rows, key, whole(searched, scores, weights, metric),
                whole(selected, scores, weights, metric), drawn(searched, scores),
                drawn(selected, scores), ofFirst,
                HiddenRows.orNull(Arrays.copyOfRange(scores, each, scores.length)));
    }

    private ScoreSpan add(
            HiddenRows part,
            boolean withError,
            UnaryOperator<double[]> placed,
            List<double[]> weights) {
        int from = weights.size();
        Stream.concat(Stream.of(part.all()), withError ? part.draws(draws).stream() : Stream.of())
                .map(placed)
                .forEach(weights::add);
        return new ScoreSpan(from, weights.size() - from);
    }

    private double[] ofSearch(double[] weights) {
        return Arrays.copyOf(weights, weights.length + select.ids().size());
    }

    private double[] ofSelect(double[] weights) {
        return DoubleStream
                .concat(DoubleStream.generate(() -> 0).limit(search.ids().size()),
                        Arrays.stream(weights))
                .toArray();
    }

    /// Asked alone, the program says why there is none.
    private static double whole(
            ScoreSpan part,
            double[] scores,
            List<double[]> weights,
            WeightedScore metric) {
        return Double.isNaN(scores[part.from])
                ? metric.score(weights.get(part.from))
                : scores[part.from];
    }

    /// The program may fail on what was predicted for some rows, and all scripts have as many
    /// draws.
    private List<Double> drawn(ScoreSpan part, double[] scores) {
        double whole = scores[part.from];
        return part.scores > 1
                ? Arrays.stream(scores, part.from + 1, part.from + part.scores)
                        .mapToObj(score -> Double.isNaN(score) ? whole : HiddenRows.rounded(score))
                        .toList()
                : Collections.nCopies(draws.number(), whole);
    }
}

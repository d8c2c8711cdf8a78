package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Grading.Predicted;
import io.mlestar.adapter.grade.Grading.PredictedTexts;
import io.mlestar.adapter.grade.HiddenRows.Draws;
import io.mlestar.adapter.grade.Metrics.Weighted;
import io.mlestar.core.task.Validation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A validation by a task's own program: all of its scores come from one process, and there are no
/// more of them than are used.
record ProgramValidation(HiddenRows search, HiddenRows select, Draws draws, Wanted wanted) {
    /// Which scores there are. Those that are not wanted are not asked for: errors are 0 then, and
    /// *select* is as the search.
    ///
    /// @param search whether the search's score has an error
    /// @param select whether there is a score of *select*
    /// @param selectError whether that has an error
    /// @param first whether the first fold of several has a score of its own
    record Wanted(boolean search, boolean select, boolean selectError, boolean first) {
        static final Wanted ALL = new Wanted(true, true, true, true);
        /// Of a script's folds together: the first one's score is known by then.
        static final Wanted FOLDS = new Wanted(true, true, true, false);
        /// It decides whether the script is run on the others. If that would take too long, the
        /// script may be chosen by it.
        static final Wanted FIRST_FOLD = new Wanted(true, true, false, false);
        /// It shows that the predictions can be scored.
        static final Wanted FURTHER_FOLD = new Wanted(false, false, false, false);
        static final Wanted SEARCH = new Wanted(true, false, false, false);
    }

    /// A score, then that on each resample.
    private record ScoreSpan(int from, int scores) {}

    /// Predictions for the rows of the search, then for those of *select*.
    static Predicted joined(Predicted search, Predicted select, int columns) {
        return new PredictedTexts(IntStream.range(0, columns)
                .mapToObj(column -> Stream.of(search, select).flatMap(part -> Arrays.stream(part.texts(column)))
                        .toArray(String[]::new))
                .toList());
    }

    /// @param metric on the rows of the search, then those of *select*
    Validation of(String rows, String key, Weighted metric) {
        List<double[]> weights = new ArrayList<>();
        ScoreSpan searched = add(search, wanted.search, this::ofSearch, weights);
        ScoreSpan selected = wanted.select ? add(select, wanted.selectError, this::ofSelect, weights) : searched;
        ScoreSpan first = wanted.first && search.folds().size() > 1
                ? add(search, true, each -> ofSearch(search.within(0, each)), weights)
                : null;
        double[] scores = metric.scores(weights);
        return new Validation(rows, key, whole(searched, scores, weights, metric),
                whole(selected, scores, weights, metric),
                drawn(searched, wanted.search, scores), drawn(selected, wanted.selectError, scores),
                sample(rows, first, scores, weights, metric),
                List.of());
    }

    private ScoreSpan add(HiddenRows part, boolean withError, UnaryOperator<double[]> placed, List<double[]> weights) {
        int from = weights.size();
        Stream.concat(Stream.of(part.all()), withError ? part.draws(draws).stream() : Stream.of()).map(placed)
                .forEach(weights::add);
        return new ScoreSpan(from, weights.size() - from);
    }

    private double[] ofSearch(double[] weights) {
        return Arrays.copyOf(weights, weights.length + select.ids().size());
    }

    private double[] ofSelect(double[] weights) {
        return DoubleStream.concat(DoubleStream.generate(() -> 0).limit(search.ids().size()), Arrays.stream(weights))
                .toArray();
    }

    /// Asked alone, the program says why there is none.
    private static double whole(ScoreSpan part, double[] scores, List<double[]> weights, Weighted metric) {
        return Double.isNaN(scores[part.from]) ? metric.score(weights.get(part.from)) : scores[part.from];
    }

    /// The program may fail on what was predicted for some rows, and all scripts have as many
    /// draws.
    private List<Double> drawn(ScoreSpan part, boolean withError, double[] scores) {
        double whole = scores[part.from];
        return withError ? Arrays.stream(scores, part.from + 1, part.from + part.scores)
                .mapToObj(score -> Double.isNaN(score) ? whole : HiddenRows.rounded(score)).toList()
                : Collections.nCopies(draws.number(), whole);
    }

    private Validation.@Nullable Sample sample(String rows, @Nullable ScoreSpan first, double[] scores,
            List<double[]> weights, Weighted metric) {
        return first == null ? null
                : new Validation.Sample(rows + "/0", whole(first, scores, weights, metric), drawn(first, true, scores));
    }
}

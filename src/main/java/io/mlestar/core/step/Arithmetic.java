package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Arithmetic on predictions that scripts left in the store. The harness does it where scripts run,
/// without Python and without a sandbox.
///
/// @param <R> what comes back
public sealed interface Arithmetic<R> extends Step<R> {
    /// The kinds of arithmetic by the step's name.
    Map<String, Class<? extends Arithmetic<?>>> KINDS =
            Map.of(BlendPredictions.NAME, BlendPredictions.class, ComparePredictions.NAME,
                    ComparePredictions.class, CombineFolds.NAME, CombineFolds.class);

    /// Digest of the rows that the harness hides: predictions are for these.
    String holdout();

    /// The type of its result.
    Class<R> resultType();

    /// The result in one line, for people.
    String summary(R result);

    /// The score that it gave.
    default Score score(R result) {
        return Score.NONE;
    }

    /// Blends predictions of several scripts.
    ///
    /// @param predictions keys in the store
    /// @param folded whether all have predictions for all folds; else they are blended by the first
    ///   one
    record BlendPredictions(
            List<String> predictions,
            String holdout,
            boolean folded) implements Arithmetic<ScoredBlend> {
        static final String NAME = "blend";

        public BlendPredictions {
            predictions = Invalid.list("predictions", predictions);
            Invalid.text("holdout", holdout);
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Class<ScoredBlend> resultType() {
            return ScoredBlend.class;
        }

        @Override
        public String summary(ScoredBlend result) {
            long members = result.blend().weights().stream().filter(weight -> weight > 0).count();
            return "blend of " + members + " of " + predictions.size() + " scripts";
        }

        @Override
        public Score score(ScoredBlend result) {
            return Score.by(result.validation());
        }
    }

    /// A blend with its own scores.
    ///
    /// @param submission what it predicts for the task's test rows
    record ScoredBlend(Blend blend, Validation validation, Submission submission) {
        public ScoredBlend {
            Invalid.required("blend", blend);
            Invalid.required("validation", validation);
            Invalid.required("submission", submission);
        }
    }

    /// Makes one file of what one script predicted when it was run on each fold: rows of a fold as
    /// the run predicted them that did not learn from them, others as the mean of all runs, or by a
    /// vote; where folds follow each other in time, as the run without the latest did
    /// ([Holdout#inTime]).
    ///
    /// @param predictions keys in the store, in the order of the folds
    record CombineFolds(
            List<String> predictions,
            String holdout) implements Arithmetic<CombinedFolds> {
        public static final String NAME = "combination";

        public CombineFolds {
            predictions = Invalid.list("predictions", predictions);
            Invalid.text("holdout", holdout);
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Class<CombinedFolds> resultType() {
            return CombinedFolds.class;
        }

        @Override
        public String summary(CombinedFolds result) {
            return predictions.size() + " folds";
        }

        @Override
        public Score score(CombinedFolds result) {
            return Score.by(result.validation());
        }
    }

    /// The predictions of all folds.
    ///
    /// @param submission for the task's test rows
    record CombinedFolds(Validation validation, Submission submission) {
        public CombinedFolds {
            Invalid.required("validation", validation);
            Invalid.required("submission", submission);
        }
    }

    /// Compares the last script's submission with what the chosen script predicted when it was
    /// scored: both are keys in the store.
    record ComparePredictions(
            String scored,
            String submitted,
            String holdout) implements Arithmetic<SubmissionComparison> {
        static final String NAME = "comparison";

        public ComparePredictions {
            Invalid.text("scored", scored);
            Invalid.text("submitted", submitted);
            Invalid.text("holdout", holdout);
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Class<SubmissionComparison> resultType() {
            return SubmissionComparison.class;
        }

        @Override
        public String summary(SubmissionComparison result) {
            return result.differs()
                    .orElseGet(() -> String.format(Locale.ROOT,
                            "the submission is what was scored, at a distance of %.2f",
                            result.distance()));
        }
    }
}

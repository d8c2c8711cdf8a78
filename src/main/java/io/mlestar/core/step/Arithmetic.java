package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.Validation;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Arithmetic on predictions that scripts left in the store. The harness does it where scripts run, without Python and without a sandbox.
///
/// @param <R> what comes back
public sealed interface Arithmetic<R> extends Step<R> {
    /// By the step's name.
    Map<String, Class<? extends Arithmetic<?>>> KINDS =
            Map.of(BlendPredictions.NAME, BlendPredictions.class, ComparePredictions.NAME, ComparePredictions.class);

    /// Digest of the rows that the harness hides: predictions are for these.
    String holdout();

    /// The type of its result.
    Class<R> resultType();

    /// What people read of its result, in one line.
    String summary(R result);

    /// The score that it gave; null if it gives none.
    default @Nullable Validation validation(R result) {
        return null;
    }

    /// Blends predictions of several scripts.
    ///
    /// @param predictions keys in the store
    record BlendPredictions(List<String> predictions, String holdout) implements Arithmetic<Blended> {
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
        public Class<Blended> resultType() {
            return Blended.class;
        }

        @Override
        public String summary(Blended result) {
            long members = result.blend().weights().stream().filter(weight -> weight > 0).count();
            return "blend of " + members + " of " + predictions.size() + " scripts";
        }

        @Override
        public Validation validation(Blended result) {
            return result.validation();
        }
    }

    /// A blend with its own scores.
    record Blended(Blend blend, Validation validation) {
        public Blended {
            Invalid.required("blend", blend);
            Invalid.required("validation", validation);
        }
    }

    /// Compares the last script's submission with what the chosen script predicted when it was scored: both are keys in the store.
    record ComparePredictions(String scored, String submitted, String holdout) implements Arithmetic<SubmissionComparison> {
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
            return result.differs().orElseGet(() -> String.format(Locale.ROOT, "the submission is what was scored, at a distance of %.2f", result.distance()));
        }
    }
}

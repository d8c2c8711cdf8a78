package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.mlestar.core.base.Digits;
import io.mlestar.core.base.Invalid;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The score of a script, h(s) of the paper, with what the harness knows of it. Two scores that the
/// harness computed are compared on rows that both are by, with the error of the difference; others
/// are two numbers.
///
/// @param value null if there is none
/// @param validation how the harness computed it; without a value, that on the first fold, after
///   which the script was stopped, or of predictions that are scored later; null if the script
///   printed the score, or there is none
public record Score(
        @JsonProperty("score") @Nullable Double value,
        @Nullable Validation validation) {
    /// Name of a record's component that stands in JSON by its own fields: none of theirs, so that
    /// `score` is read as the number.
    static final String FIELDS = "score and validation";
    public static final Score NONE = printed(null);

    /// The lead of one score over another.
    ///
    /// @param gain in units of the metric, positive if it is better
    /// @param error standard error of the gain, paired; null unless the harness computed both
    ///   scores
    /// @param folds the gain on each fold, null where it is not known; empty unless the harness
    ///   computed both scores on the same folds
    public record Lead(double gain, @Nullable Double error, List<@Nullable Double> folds) {
        public Lead {
            folds = Invalid.optionalElements(folds);
        }

        /// The lead on one part of the rows.
        public Lead(double gain, @Nullable Double error) {
            this(gain, error, List.of());
        }

        /// E.g. `better by 0.0125 ± 0.0041`; with `, noise` where it is no larger than its error.
        public String inWords() {
            if (gain == 0) {
                return "equal";
            }
            double size = Math.abs(gain);
            String by = error == null ? Digits.of(size, 2) : Digits.withError(size, error);
            return (gain > 0 ? "better by " : "worse by ") + by + (isNoise() ? ", noise" : "");
        }

        /// True if the gain is no larger than its error; false if that is not known.
        public boolean isNoise() {
            return error != null && Math.abs(gain) <= error;
        }
    }

    /// The score that a script printed; null if it printed none.
    public static Score printed(@Nullable Double value) {
        return new Score(value, null);
    }

    /// The validation of a script that has no score: on the first fold, after which it was stopped,
    /// or of predictions that are scored later.
    public static Score withoutValue(Validation validation) {
        return new Score(null, validation);
    }

    /// The score that the harness computed.
    public static Score by(Validation validation) {
        return new Score(validation.search(), validation);
    }

    public boolean isKnown() {
        return value != null;
    }

    /// True if the script was stopped after the first fold: it has no score, but the validation on
    /// that.
    public boolean isLost() {
        return value == null && validation != null;
    }

    /// True if the harness computed it on several folds.
    public boolean isFolded() {
        return validation != null && validation.first() != null;
    }

    /// The value of a score that is known.
    ///
    /// @throws NullPointerException if it is not
    public double known() {
        return Objects.requireNonNull(value, "the script has no score");
    }

    /// The validation of a score that the harness computed.
    ///
    /// @throws NullPointerException if it did not
    public Validation trusted() {
        return Objects.requireNonNull(validation, "the harness did not score the script");
    }

    /// The part of a known score that is by the first fold; the whole where there is no other.
    public double onFirstFold() {
        return validation == null || validation.first() == null
                ? known()
                : validation.first().score();
    }

    /// Standard error, in units of the metric; null unless the harness computed the score.
    public @Nullable Double error() {
        return validation == null ? null : validation.searchError();
    }

    /// The score on each fold, null where it is not defined; empty unless the harness computed it
    /// on several.
    public List<@Nullable Double> folds() {
        return validation == null ? List.of() : validation.folds();
    }

    /// The lead over the other score; null if one of the two is not known. A script that was
    /// stopped after the first fold is compared on that.
    public @Nullable Lead over(Score other, MetricDirection direction) {
        if (validation != null && other.validation != null
                && validation.isComparable(other.validation)) {
            return new Lead(validation.gain(other.validation, direction),
                    validation.errorOfGain(other.validation),
                    validation.gains(other.validation, direction));
        }
        return value == null || other.value == null
                ? null
                : new Lead(direction.gain(value, other.value), null);
    }

    /// True if it is better, and neither equal nor within noise.
    public boolean beats(Score other, MetricDirection direction) {
        Lead lead = over(other, direction);
        return lead != null && lead.gain() > 0 && !lead.isNoise();
    }

    /// True if it is better by more than the best of several tries is by luck: on hidden rows, by
    /// twice the error of the gain.
    public boolean surelyBeats(Score other, MetricDirection direction) {
        return validation == null || other.validation == null
                ? beats(other, direction)
                : other.validation.isSurelyWorse(validation, direction);
    }
}

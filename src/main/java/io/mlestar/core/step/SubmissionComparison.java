package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The distance between the last script's submission and the predictions of the chosen script for
/// the same rows when it was scored: the result of [Arithmetic.ComparePredictions].
///
/// @param distance mean difference of the two, in units of the mean difference of two rows of the
///   scored predictions: 0 if they are equal, about 1 if one has nothing to do with the other. Of
///   normally distributed predictions that correlate with r it is the root of 1 - r
/// @param apart how far the predictions for the test's rows were from those for the hidden rows, as
///   two samples, in that unit; null where the test is later, so that they may differ
/// @param shift how much farther from those for the hidden rows the submission is than that; null
///   where the order alone counts
public record SubmissionComparison(
        double distance,
        @Nullable Double apart,
        @Nullable Double shift) {
    /// A script that is run again, on all rows, gives others than before, but not this much: 0.5 is
    /// a correlation of 0.75.
    public static final double MOST = 0.5;
    /// Hidden rows and those of the test are drawn alike, so that only few groups may take their
    /// predictions apart.
    public static final double MOST_APART = 1;
    /// More rows to learn from change single predictions, but hardly all of them in one direction.
    public static final double MOST_SHIFT = 0.25;

    public SubmissionComparison {
        if (!(distance >= 0 && distance < Double.POSITIVE_INFINITY)) {
            throw new Invalid("a distance is a number from 0 on");
        }
    }

    /// The reason why the score does not stand for the submission; empty if it does.
    public Optional<String> differs() {
        if (distance > MOST) {
            return differs(
                    "the submission differs from what was scored: their distance is %.2f, where 1 is that of two rows and up to %.1f is normal",
                    distance, MOST);
        }
        if (shift != null && shift > MOST_SHIFT) {
            return differs(
                    "the submission is shifted against what was scored, by %.2f, where 1 is the distance of two rows and up to %.2f is normal",
                    shift, MOST_SHIFT);
        }
        return apart == null || apart <= MOST_APART
                ? Optional.empty()
                : differs(
                        "the predictions for the test rows are unlike those that were scored, for the hidden rows: they are %.2f apart, "
                                + "where 1 is the distance of two rows and up to %.1f is normal",
                        apart, MOST_APART);
    }

    private static Optional<String> differs(String form, double found, double most) {
        return Optional.of(String.format(Locale.ROOT, form, found, most));
    }
}

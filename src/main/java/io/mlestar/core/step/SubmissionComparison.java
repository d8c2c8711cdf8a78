package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import java.util.Locale;
import java.util.Optional;

/// How far the last script's submission is from what the chosen script predicted for the same rows when it was scored: what [Arithmetic.ComparePredictions] gives.
///
/// @param distance mean difference of the two, in units of the mean difference of two rows of the scored predictions: 0 if they are equal, about 1 if one has
///     nothing to do with the other. Of normally distributed predictions that correlate with r it is the root of 1 - r
public record SubmissionComparison(double distance) {
    /// A script that is run again, on all rows, gives others than before, but not this much: 0.5 is a correlation of 0.75.
    public static final double MOST = 0.5;

    public SubmissionComparison {
        if (!(distance >= 0 && distance < Double.POSITIVE_INFINITY)) {
            throw new Invalid("a distance is a number from 0 on");
        }
    }

    /// Why the score does not stand for the submission; empty if it does.
    public Optional<String> differs() {
        return distance <= MOST ? Optional.empty() : Optional.of(String.format(Locale.ROOT,
                "the submission differs from what was scored: their distance is %.2f, where 1 is that of two rows and up to %.1f is normal", distance, MOST));
    }
}

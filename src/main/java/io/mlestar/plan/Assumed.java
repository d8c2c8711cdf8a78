package io.mlestar.plan;

import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import java.time.Duration;
import java.util.Random;

/// How long things are thought to take. Lengths are log-normal about their medians: of ten scripts one takes half as long again as the
/// median, or longer, and one two thirds of it, or less. The same step takes as long in every plan.
///
/// @param scriptMinutes median of a script that trains, more than 0, at most 100 000
/// @param callSeconds median of an answer, more than 0, at most 600
public record Assumed(double scriptMinutes, double callSeconds) {
    public static final Assumed USUAL = new Assumed(10, 30);
    /// Standard deviation of the logarithm of a length.
    public static final double SPREAD = 0.3;
    public static final long SEED = 1;
    private static final double MOST_MINUTES = 100_000;
    private static final double MOST_SECONDS = 600;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /// @throws Invalid if a length is out of its bounds
    public Assumed {
        within("--script-minutes", scriptMinutes, MOST_MINUTES);
        within("--call-seconds", callSeconds, MOST_SECONDS);
    }

    private static void within(String option, double value, double most) {
        if (!(value > 0 && value <= most)) {
            throw new Invalid(option + " must be more than 0 and at most " + (long) most + ", but is " + value);
        }
    }

    Duration script(StepPath step) {
        return about(scriptMinutes * 60, step);
    }

    Duration call(StepPath step) {
        return about(callSeconds, step);
    }

    private static Duration about(double seconds, StepPath step) {
        double far = new Random((step.inside().hashCode() + SEED) * MIX).nextGaussian();
        return Duration.ofMillis(Math.round(seconds * 1000 * Math.exp(SPREAD * far)));
    }
}

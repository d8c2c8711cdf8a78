package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;

/// How long a script and an answer take, for an estimate.
///
/// @param scriptMinutes of a script that trains, more than 0, at most 100 000
/// @param callSeconds of a model's answer, more than 0, at most 600
record RunDurations(double scriptMinutes, double callSeconds) {
    static final RunDurations USUAL = new RunDurations(10, 30);
    private static final double MOST_MINUTES = 100_000;
    private static final double MOST_SECONDS = 600;

    /// @throws Invalid if a length is out of its bounds
    RunDurations {
        within("--script-minutes", scriptMinutes, MOST_MINUTES);
        within("--call-seconds", callSeconds, MOST_SECONDS);
    }

    private static void within(String option, double value, double most) {
        if (!(value > 0 && value <= most)) {
            throw new Invalid(option + " must be more than 0 and at most " + (long) most + ", but is " + value);
        }
    }

    double scriptSeconds() {
        return scriptMinutes * 60;
    }
}

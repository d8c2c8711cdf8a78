package io.mlestar.core.task;

import io.mlestar.core.base.Invalid;

/// Shares of the time limit by phase (REQ-OR-025). Only the proportions count, not the sum.
public record PhaseTimeBudget(double phase1, double phase2, double phase3, double finalization) {
    public static final PhaseTimeBudget DEFAULT = new PhaseTimeBudget(0.10, 0.65, 0.15, 0.10);

    /// The shares of a search that begins with a study and looks at the data, and combines scripts
    /// once: with a tenth each, first solutions were lost in two hours, a combination in ninety
    /// minutes.
    static final PhaseTimeBudget STUDIED = new PhaseTimeBudget(0.20, 0.55, 0.15, 0.10);

    private static final int MOST = 1_000_000;

    public PhaseTimeBudget {
        check("phase1", phase1);
        check("phase2", phase2);
        check("phase3", phase3);
        check("finalization", finalization);
    }

    /// The part of the whole time limit that Phase 1 has, from 0 to 1.
    public double phase1Share() {
        return phase1 / whole();
    }

    /// The part that Phase 2 has of the time after Phase 1.
    public double phase2Share() {
        return phase2 / (phase2 + phase3 + finalization);
    }

    /// The part that Phase 3 has of the time after Phase 2.
    public double phase3Share() {
        return phase3 / (phase3 + finalization);
    }

    /// The part of the whole time limit that Phase 3 has, if the others take theirs.
    public double phase3Part() {
        return phase3 / whole();
    }

    private double whole() {
        return phase1 + phase2 + phase3 + finalization;
    }

    private static void check(String field, double share) {
        if (!(share > 0 && share <= MOST)) {
            throw new Invalid(
                    "phase_time_budget." + field + " must be greater than 0 and at most " + MOST
                            + ", but is " + share);
        }
    }
}

package io.mlestar.core.phase;

import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.List;

/// A script's score on the rows of the search that *select* refutes. The folds' labels pass through
/// studies and looks into prompts, and from there into scripts that know them by heart; nothing
/// ever shows a label of *select*.
final class Overstatement {
    /// Standard errors. The best of many scripts leads by two or three of them through luck.
    private static final double SURELY = 4;

    private Overstatement() {}

    /// True if `search` is surely better than `select`, and by more than it is for another script
    /// of the run. If *select* is harder for all of them, as later rows may be, that refutes none.
    static boolean isSure(Validation script, List<Validation> others, MetricDirection direction) {
        double lead = direction.gain(script.search(), script.select());
        return lead > SURELY * Math.hypot(script.searchError(), script.selectError())
                && others.stream().anyMatch(other -> leads(script, other, direction));
    }

    private static boolean leads(Validation script, Validation other, MetricDirection direction) {
        if (!script.isComparable(other)) {
            return false;
        }
        double more =
                script.gain(other, direction) - direction.gain(script.select(), other.select());
        return more > SURELY
                * Math.hypot(script.errorOfGain(other), script.errorOfSelectGain(other));
    }

    /// The scripts that overstate their scores.
    ///
    /// @param scripts of a run that hidden rows scored
    static List<SolutionScript> among(List<SolutionScript> scripts, MetricDirection direction) {
        List<Validation> all = scripts.stream().map(script -> script.score().trusted()).toList();
        return scripts.stream()
                .filter(script -> isSure(script.score().trusted(), all, direction))
                .toList();
    }
}

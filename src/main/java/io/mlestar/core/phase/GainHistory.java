package io.mlestar.core.phase;

import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.Gain;
import io.mlestar.core.task.Score.Lead;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The gains of a run, from the best model as it came to the script that was chosen in the end.
final class GainHistory {
    private GainHistory() {}

    /// @param course of the run's best scripts; what has no score or brought no change is left out
    static List<Gain> of(List<SolutionScript> course, MetricDirection direction) {
        List<Gain> gains = new ArrayList<>();
        SolutionScript before = null;
        for (SolutionScript script : course) {
            if (script.isScored()
                    && (before == null || !before.content().equals(script.content()))) {
                gains.add(gain(script, before, direction));
                before = script;
            }
        }
        return gains;
    }

    private static Gain gain(
            SolutionScript script,
            @Nullable SolutionScript before,
            MetricDirection direction) {
        Score score = script.score();
        Lead lead = before == null ? null : score.over(before.score(), direction);
        return new Gain(script.step(), score.known(), score.error(),
                lead == null ? null : lead.gain(),
                lead == null ? null : lead.error());
    }
}

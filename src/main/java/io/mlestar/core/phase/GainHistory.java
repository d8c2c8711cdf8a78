package io.mlestar.core.phase;

import io.mlestar.core.task.Results.Gain;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// From the best model as it came to the script that was chosen in the end.
record GainHistory(Acceptance acceptance) {
    /// @param course of the run's best scripts; what has no score or brought no change is left out
    List<Gain> of(List<SolutionScript> course) {
        List<Gain> gains = new ArrayList<>();
        SolutionScript before = null;
        for (SolutionScript script : course) {
            if (script.score() != null && (before == null || !before.content().equals(script.content()))) {
                gains.add(gain(script, before));
                before = script;
            }
        }
        return gains;
    }

    private Gain gain(SolutionScript script, @Nullable SolutionScript before) {
        Double error = script.validation() == null ? null : script.validation().searchError();
        if (before == null) {
            return new Gain(script.step(), script.knownScore(), error, null, null);
        }
        Acceptance.MeasuredGain measured = acceptance.gain(script, before);
        if (measured == null) {
            double gain = acceptance.direction().gain(script.knownScore(), before.knownScore());
            return new Gain(script.step(), script.knownScore(), error, gain, null);
        }
        return new Gain(script.step(), script.knownScore(), error, measured.gain(), measured.error());
    }
}

package io.mlestar.records;

import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A script that was run for its score: h(s) of Section 3, one evaluation on the curve of a run.
///
/// @param step its path, which is in another run where the phase shares steps with that
/// @param score null if it gave none
public record Scoring(String step, @Nullable Double score, Instant endedAt) {
    /// @throws Invalid if it does not say when, or which step it was
    public Scoring {
        if (step == null || endedAt == null) {
            throw new Invalid("an evaluation without step or ended_at");
        }
        StepPath.parse(step);
    }

    public StepPath path() {
        return StepPath.parse(step);
    }
}

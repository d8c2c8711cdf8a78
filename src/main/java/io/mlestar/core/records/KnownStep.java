package io.mlestar.core.records;

import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import java.util.Optional;

/// A step with its request and its result.
public record KnownStep(StepPath path, StepRequest request, Optional<StepResult> result) {
    public Step<?> step() {
        return request.step(path.plainName());
    }

    /// The result, if the step was done.
    public Optional<StepResult.Done> done() {
        return result.flatMap(StepResult::done);
    }

    /// See [StepResult#place].
    public StepPath place() {
        return result.map(ended -> ended.place(path)).orElse(path);
    }
}

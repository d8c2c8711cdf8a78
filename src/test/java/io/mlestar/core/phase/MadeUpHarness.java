package io.mlestar.core.phase;

import io.mlestar.core.engine.Harness;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution;
import io.mlestar.core.task.Validation;
import java.nio.file.Path;

/// Computes with what [MadeUpPython] leaves. It has no files.
public record MadeUpHarness() implements Harness {
    @Override
    public boolean isScoring() {
        return true;
    }

    @Override
    public Execution.Submission hold(Path folder) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void show(Path view, int fold) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Validation validate(Path predictions, int fold) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <R> R compute(Arithmetic<R> arithmetic) {
        return MadeUpPython.compute(arithmetic).orThrow(arithmetic.name());
    }
}

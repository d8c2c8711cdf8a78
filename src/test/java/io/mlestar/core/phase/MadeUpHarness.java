package io.mlestar.core.phase;

import io.mlestar.core.engine.Harness;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Score;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/// A harness without files.
///
/// @param computing gives what an arithmetic step comes to
public record MadeUpHarness(Function<Arithmetic<?>, ?> computing) implements Harness {
    /// Computes with what [MadeUpPython] leaves.
    public static MadeUpHarness ofPython() {
        return new MadeUpHarness(arithmetic -> MadeUpPython.compute(arithmetic).orThrow(arithmetic.name()));
    }

    @Override
    public boolean isScoring() {
        return true;
    }

    @Override
    public RunContext context() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<String> ownSplit() {
        return Optional.empty();
    }

    @Override
    public Execution.Submission hold(Path folder) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Execution.Submission measure(String digest, String metric, Path folder, Duration longest) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void show(Path folder, String view) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Score validate(Path predictions, int fold) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <R> R compute(Arithmetic<R> arithmetic) {
        return arithmetic.resultType().cast(computing.apply(arithmetic));
    }
}

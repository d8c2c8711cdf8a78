package io.mlestar.core.engine;

import io.mlestar.core.step.StepPath;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/// The steps that this process is doing.
final class InFlightSteps {
    private final Map<StepPath, CompletableFuture<Void>> steps = new ConcurrentHashMap<>();

    Set<StepPath> all() {
        return steps.keySet();
    }

    /// A second event for a step is acknowledged when the step is done: otherwise the broker would
    /// have dropped it if the process then died.
    void once(StepPath path, Runnable work) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> other = steps.putIfAbsent(path, mine);
        if (other != null) {
            await(other);
            return;
        }
        try {
            work.run();
            mine.complete(null);
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            steps.remove(path);
        }
    }

    private static void await(CompletableFuture<Void> other) {
        try {
            other.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}

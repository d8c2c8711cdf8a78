package io.mlestar.store;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/// Does many things that mostly wait, some at a time.
public final class AllAtOnce {
    private static final int SOME = 12;

    private AllAtOnce() {}

    /// @return results in the order of `items`; the first failure is thrown when all that began has ended
    public static <T, R> List<R> map(List<T> items, Function<T, R> work) {
        Semaphore room = new Semaphore(SOME);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<R>> results = items.stream().map(item -> threads.submit(() -> {
                room.acquire();
                try {
                    return work.apply(item);
                } finally {
                    room.release();
                }
            })).toList();
            return results.stream().map(result -> {
                try {
                    return result.get();
                } catch (ExecutionException | InterruptedException e) {
                    threads.shutdownNow();
                    throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
                }
            }).toList();
        }
    }
}

package io.mlestar.app.web;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes an expensive value once for all callers that wait for it (request coalescing). A caller never gets a value whose making began before the call, so it
/// is never stale.
final class SingleFlight<T> {
    private final Supplier<T> maker;
    private final ReentrantLock making = new ReentrantLock();
    private @Nullable CompletableFuture<T> next;

    SingleFlight(Supplier<T> maker) {
        this.maker = maker;
    }

    T get() {
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> others;
        synchronized (this) {
            others = next;
            if (others == null) {
                next = mine;
            }
        }
        if (others == null) {
            make(mine);
        }
        try {
            return (others == null ? mine : others).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void make(CompletableFuture<T> wanted) {
        making.lock();
        try {
            synchronized (this) {
                next = null;
            }
            wanted.complete(maker.get());
        } catch (RuntimeException | Error e) {
            wanted.completeExceptionally(e);
        } finally {
            making.unlock();
        }
    }
}

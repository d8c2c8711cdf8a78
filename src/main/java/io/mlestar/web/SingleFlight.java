package io.mlestar.web;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Something dear to make, made once for all who ask while they wait (request coalescing). Nobody gets what was begun before he asked, so it is never stale.
final class SingleFlight<T> {
    private final Supplier<T> maker;
    private final ReentrantLock making = new ReentrantLock();
    private CompletableFuture<T> next;

    SingleFlight(Supplier<T> maker) {
        this.maker = maker;
    }

    T get() {
        CompletableFuture<T> wanted;
        boolean first;
        synchronized (this) {
            first = next == null;
            if (first) {
                next = new CompletableFuture<>();
            }
            wanted = next;
        }
        if (first) {
            make(wanted);
        }
        try {
            return wanted.join();
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

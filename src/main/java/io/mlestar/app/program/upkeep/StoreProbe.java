package io.mlestar.app.program.upkeep;

import io.mlestar.core.store.Store;
import io.mlestar.core.store.StoreUnavailable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Tries what the program needs of a store: created objects are read back and listed, and of many
/// writers of one key exactly one wins. Some servers ignore the condition of a conditional write.
/// The probe's objects stay, below `doctor/`.
///
/// @param wrong what the store does wrong; empty if nothing
/// @param write time of one write without others beside it
public record StoreProbe(Optional<String> wrong, Duration write) {
    private static final int WRITERS = 16;
    private static final int ROUNDS = 5;

    /// @throws StoreUnavailable if the store cannot be reached or refuses us
    public static StoreProbe of(Store store) {
        String folder = "doctor/" + UUID.randomUUID();
        // A store that is opened when it is first used is opened now.
        store.read(folder + "/first");
        long begin = System.nanoTime();
        boolean created = store.create(folder + "/first", bytes(0));
        Duration write = Duration.ofNanos(System.nanoTime() - begin);
        return new StoreProbe(wrong(store, folder, created), write);
    }

    private static Optional<String> wrong(Store store, String folder, boolean created) {
        if (!created) {
            return Optional.of("says that a new object exists");
        }
        if (!store.read(folder + "/first")
                .filter(read -> Arrays.equals(read, bytes(0)))
                .isPresent()) {
            return Optional.of("does not give back what was written");
        }
        if (!store.list(folder).equals(List.of("first"))) {
            return Optional.of("does not list what was written");
        }
        if (store.create(folder + "/first", bytes(1))) {
            return Optional.of("ignores conditional writes: it replaced an object");
        }
        for (int round = 0; round < ROUNDS; round++) {
            String key = folder + "/race-" + round;
            List<Integer> winners = race(store, key);
            if (winners.size() != 1) {
                return Optional.of(
                        "ignores conditional writes: " + winners.size() + " of " + WRITERS
                                + " writers of one key won");
            }
            if (!store.read(key)
                    .filter(read -> Arrays.equals(read, bytes(winners.getFirst())))
                    .isPresent()) {
                return Optional.of("keeps another writer's content than the winner's");
            }
        }
        return Optional.empty();
    }

    private static List<Integer> race(Store store, String key) {
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Boolean>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                byte[] content = bytes(writer);
                writers.add(() -> {
                    start.await();
                    return store.create(key, content);
                });
            }
            List<Future<Boolean>> results = threads.invokeAll(writers);
            List<Integer> winners = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                if (results.get(writer).state() == Future.State.FAILED) {
                    throw new StoreUnavailable(
                            String.valueOf(results.get(writer).exceptionNow().getMessage()),
                            results.get(writer).exceptionNow());
                }
                if (results.get(writer).resultNow()) {
                    winners.add(writer);
                }
            }
            return winners;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailable("interrupted while writing", e);
        }
    }

    private static byte[] bytes(int writer) {
        return ("writer " + writer).getBytes(StandardCharsets.UTF_8);
    }
}

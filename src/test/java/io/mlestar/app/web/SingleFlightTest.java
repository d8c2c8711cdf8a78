package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Waiting;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SingleFlightTest {
    @Test
    void whoAsksWhileOthersWaitSharesWithThemAndNobodyGetsWhatWasBegunBefore() throws Exception {
        AtomicInteger made = new AtomicInteger();
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        SingleFlight<Integer> shared = new SingleFlight<>(() -> {
            began.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return made.incrementAndGet();
        });
        Queue<Integer> got = new ConcurrentLinkedQueue<>();
        Thread first = Thread.ofVirtual().start(() -> got.add(shared.get()));
        began.await();
        List<Thread> others = IntStream.range(0, 100).mapToObj(i -> Thread.ofVirtual().start(() -> got.add(shared.get()))).toList();
        // One of them waits for its turn to make, the others for what it makes: none is on its way to ask any more.
        Waiting.until("all have asked", () -> others.stream().allMatch(other -> other.getState() == Thread.State.WAITING));
        mayEnd.countDown();
        first.join();
        for (Thread other : others) {
            other.join();
        }
        assertThat(got).hasSize(101).containsOnlyOnce(1).containsOnly(1, 2);
        assertThat(shared.get()).as("asked when all had their answers").isEqualTo(3);
    }

    @Test
    void aFailureIsTheFailureOfAllWhoWaitedAndOfNobodyElse() {
        AtomicInteger tries = new AtomicInteger();
        SingleFlight<String> shared = new SingleFlight<>(() -> {
            if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("away");
            }
            return "back";
        });
        assertThatThrownBy(shared::get).isInstanceOf(IllegalStateException.class).hasMessage("away");
        assertThat(shared.get()).isEqualTo("back");
    }
}

package io.mlestar.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SingleFlightTest {
    @Test
    void whoAsksWhileOthersWaitSharesWithThemAndNobodyGetsWhatWasBegunBefore() throws Exception {
        AtomicInteger made = new AtomicInteger();
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(100);
        SingleFlight<Integer> shared = new SingleFlight<>(() -> {
            began.countDown();
            try {
                asked.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return made.incrementAndGet();
        });
        try (ExecutorService side = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> first = side.submit(shared::get);
            began.await();
            List<Future<Integer>> others = IntStream.range(0, 100).mapToObj(i -> side.submit(() -> {
                asked.countDown();
                return shared.get();
            })).toList();
            assertThat(first.get()).isEqualTo(1);
            for (Future<Integer> other : others) {
                assertThat(other.get()).isGreaterThan(1);
            }
        }
        assertThat(made.get()).as("a hundred and one asked").isLessThan(20);
        assertThat(shared.get()).isEqualTo(made.get());
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

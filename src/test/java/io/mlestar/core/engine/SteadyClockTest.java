package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    @Test
    void aDateThatIsSetForwardOrBackChangesNothing() {
        OneEngine.MovingClock wall = new OneEngine.MovingClock();
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
        SteadyClock steady = new SteadyClock(wall, nanos::get);
        wall.now = World.NOW.plus(Duration.ofDays(30));
        nanos.addAndGet(Duration.ofSeconds(90).toNanos());
        assertThat(steady.instant()).as("though the nanoseconds have gone round").isEqualTo(World.NOW.plusSeconds(90));
        wall.now = World.NOW.minus(Duration.ofDays(30));
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(steady.instant()).isEqualTo(World.NOW.plusSeconds(100));
    }
}

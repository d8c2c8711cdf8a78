package io.mlestar.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

    @Test
    void pausesDoubleUpToTheLongest() {
        assertThat(
                List.of(BACKOFF.pause(1), BACKOFF.pause(2), BACKOFF.pause(4), BACKOFF.pause(9), BACKOFF.pause(1_000)))
                .containsExactly(
                        Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(1_600),
                        Duration.ofSeconds(30), Duration.ofSeconds(30));
    }

    @Test
    void aSleepThatIsInterruptedKeepsTheInterruption() {
        Thread.currentThread().interrupt();
        assertThat(Backoff.sleep(Duration.ofMinutes(5))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}

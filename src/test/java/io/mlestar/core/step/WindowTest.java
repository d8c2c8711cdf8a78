package io.mlestar.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WindowTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private final Window window = new Window(NOW.plusSeconds(55), NOW.plusSeconds(60));

    @Test
    @Requirement("REQ-OR-024")
    void aStepMayBeginUntilItWouldBeOfNoUse() {
        assertThat(window.isOpen(NOW.plusSeconds(55))).isTrue();
        assertThat(window.isOpen(NOW.plusMillis(55_001))).isFalse();
        assertThat(window.left(NOW.plusSeconds(59))).isEqualTo(Duration.ofSeconds(1));
        assertThat(window.left(NOW.plusSeconds(61))).isZero();
    }

    @Test
    @Requirement("REQ-OR-026")
    void thoseWhoContendForSlotsShareWhatIsLeft() {
        assertThat(window.share(NOW, 1, 4)).isEqualTo(Duration.ofSeconds(15));
        assertThat(window.share(NOW, 2, 3)).isEqualTo(Duration.ofSeconds(40));
        assertThat(window.share(NOW, 4, 3)).as("a slot for each").isEqualTo(Duration.ofSeconds(60));
        assertThat(window.share(NOW, 1, 1)).isEqualTo(Duration.ofSeconds(60));
    }
}

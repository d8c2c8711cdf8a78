package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
    private final VirtualTime time = new VirtualTime(Instant.EPOCH);
    private final VirtualTime.SimulatedProcess program = time.process();
    private final List<String> told = new ArrayList<>();

    private void tell(String what) {
        told.add(Duration.between(Instant.EPOCH, time.instant()).toSeconds() + " " + what);
    }

    private void runOut() {
        time.play(() -> false);
    }

    /// Takes a slot, works, and gives it back.
    private void worker(Slots slots, String name, int seconds, Instant latest) {
        program.after(Duration.ZERO, () -> {
            if (!slots.take(latest)) {
                tell(name + " went away");
                return;
            }
            tell(name + " began");
            try {
                time.sleep(Duration.ofSeconds(seconds));
            } finally {
                slots.give();
            }
        });
    }

    @Test
    void whatIsKilledGetsNoFurtherAndLeavesItsSlots() {
        Slots slots = new Slots(time, 1);
        worker(slots, "one", 10, Instant.MAX);
        worker(slots, "two", 10, Instant.MAX);
        program.whenKilled(() -> tell("killed"));
        VirtualTime.SimulatedProcess outside = time.process();
        outside.after(Duration.ofSeconds(3), program::kill);
        outside.after(Duration.ofSeconds(3), () -> {
            assertThat(slots.take(Instant.MAX)).isTrue();
            tell("outside began");
        });

        runOut();

        assertThat(told).containsExactly("0 one began", "3 killed", "3 outside began");
    }

    @Test
    void aFailureOfWhatHappensIsTold() {
        program.after(Duration.ofSeconds(2), () -> {
            throw new IllegalArgumentException("broken");
        });

        assertThatThrownBy(this::runOut).isInstanceOf(IllegalStateException.class).hasMessage("at PT2S")
                .hasRootCauseMessage("broken");
    }
}

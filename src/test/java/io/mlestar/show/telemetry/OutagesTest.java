package io.mlestar.show.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutagesTest {
    private final List<String> lines = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private final Outages outages = new Outages(lines::add, () -> now);

    private void fail(String provider, String said) {
        outages.retried(Optional.empty(), provider, "connection", said);
    }

    @Test
    void callsThatFailTogetherAreOneLine() {
        for (int call = 0; call < 8; call++) {
            fail("anthropic", "try 1 of call " + call);
        }
        fail("openai", "another provider");
        now = now.plus(Duration.ofSeconds(1));
        fail("anthropic", "try 2");
        outages.givenUp(Optional.empty(), "anthropic", "given up in the same second");
        assertThat(lines).containsExactly("try 1 of call 0", "another provider", "try 2");
    }

    @Test
    void theEndOfAnOutageIsPrintedOnce() {
        outages.answered(Optional.empty(), "anthropic");
        fail("anthropic", "down");
        outages.answered(Optional.empty(), "openai");
        outages.answered(Optional.empty(), "anthropic");
        outages.answered(Optional.empty(), "anthropic");
        assertThat(lines).containsExactly("down", "anthropic answers again");
    }
}

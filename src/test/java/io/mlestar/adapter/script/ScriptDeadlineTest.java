package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.step.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ScriptDeadlineTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final AtomicInteger contenders = new AtomicInteger(1);

    private ScriptDeadline deadline(Duration left, Duration most, int slots) {
        return new ScriptDeadline(now::get, new Window(START.plus(left), START.plus(left)), most, slots,
                contenders::get);
    }

    private void at(int second, int contend) {
        now.set(START.plusSeconds(second));
        contenders.set(contend);
    }

    @Test
    void aScriptForWhichNobodyWaitsMayTakeAllThatIsLeft() {
        ScriptDeadline deadline = deadline(Duration.ofSeconds(100), HOUR, 1);
        assertThat(deadline.allowed()).hasSeconds(100);
        at(90, 1);
        assertThat(deadline.allowed()).hasSeconds(100);
    }

    @Test
    @Requirement({"REQ-OR-024", "REQ-OR-026"})
    void aScriptThatBeganAloneSharesWithThoseWhoComeLater() {
        ScriptDeadline deadline = deadline(Duration.ofSeconds(100), HOUR, 1);
        assertThat(deadline.allowed()).hasSeconds(100);
        at(10, 3);
        assertThat(deadline.allowed()).hasSeconds(10 + 90 / 3);
        at(20, 5);
        assertThat(deadline.allowed()).hasSeconds(20 + 80 / 5);
    }

    @Test
    void whatOthersGiveUpIsLeftAgain() {
        ScriptDeadline deadline = deadline(Duration.ofSeconds(100), HOUR, 2);
        at(0, 4);
        assertThat(deadline.allowed()).hasSeconds(50);
        at(10, 2);
        assertThat(deadline.allowed()).hasSeconds(100);
    }

    @Test
    void noScriptMayTakeMoreThanItsOwnLimitOrWhatIsLeft() {
        ScriptDeadline deadline = deadline(Duration.ofSeconds(-5), HOUR, 1);
        assertThat(deadline.allowed()).isZero();
        assertThat(deadline(Duration.ofSeconds(100), Duration.ofSeconds(7), 1).allowed()).as("its own limit")
                .hasSeconds(7);
    }
}

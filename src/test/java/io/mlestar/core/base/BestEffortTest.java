package io.mlestar.core.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import module java.base;
import org.junit.jupiter.api.Test;

class BestEffortTest {
    private static final Supplier<String> AWAY = () -> {
        throw new Unavailable("the store is away", null);
    };
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private final List<String> warnings = new ArrayList<>();
    private final BestEffort warned = new BestEffort(warnings::add, false);

    @Test
    void aFailureIsOneLineAndNothingElse() {
        assertThat(warned.get("no report", () -> "a report")).contains("a report");
        assertThat(warned.<String>get("no report", () -> null)).isEmpty();
        assertThat(warnings).isEmpty();
        assertThat(warned.<String>get("no report", () -> {
            throw new NullPointerException();
        })).isEmpty();
        warned.run("no line", () -> {
            throw new StackOverflowError("too\ndeep " + "x".repeat(1_000));
        });
        assertThat(warned.get("no report", AWAY)).isEmpty();
        assertThat(warnings).hasSize(3).contains("no report: NullPointerException", "no report: the store is away")
                .anyMatch(line -> line.startsWith("no line: too deep xxx")).allMatch(line -> line.length() < 500);
    }

    @Test
    void whatIsCalledAgainPassesOnThatTheStoreIsAway() {
        assertThatThrownBy(() -> new BestEffort(warnings::add, true).get("no report", AWAY))
                .isInstanceOf(Unavailable.class);
        assertThat(warnings).isEmpty();
    }

    @Test
    void aWarningThatCannotBeWrittenIsNoFailureEither() {
        BestEffort mute = new BestEffort(line -> {
            throw new IllegalStateException(line);
        }, false);
        assertThatCode(() -> mute.run("no report", () -> {
            throw new IllegalStateException("first");
        })).doesNotThrowAnyException();
    }

    @Test
    void pausesDoubleUpToTheLongest() {
        assertThat(
                List.of(BACKOFF.pause(1), BACKOFF.pause(2), BACKOFF.pause(4), BACKOFF.pause(9), BACKOFF.pause(1_000)))
                .containsExactly(Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(1_600),
                        Duration.ofSeconds(30), Duration.ofSeconds(30));
    }

    @Test
    void aSleepThatIsInterruptedKeepsTheInterruption() {
        Thread.currentThread().interrupt();
        assertThat(Backoff.sleep(Duration.ofMinutes(5))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}

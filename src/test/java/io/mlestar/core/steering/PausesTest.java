package io.mlestar.core.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PausesTest {
    private final MemoryStore store = new MemoryStore();
    private final Pauses pauses = new Pauses(store);
    private final Records records = new Records(store);

    private static Instant minute(int number) {
        return World.NOW.plus(Duration.ofMinutes(number));
    }

    @Test
    void aRunIsPausedAndGoesOnAgainAndAgain() {
        assertThat(records.marks("r").isPaused()).isFalse();
        assertThat(pauses.lift("r", minute(0), "ann")).as("it is not paused").isFalse();
        assertThat(pauses.begin("r", minute(1), " ann\u001b ")).isTrue();
        assertThat(pauses.begin("r", minute(2), "ben")).as("it is paused").isFalse();
        assertThat(records.marks("r").isPaused()).isTrue();
        assertThat(pauses.of("r")).containsExactly(new Pause(minute(1), "ann", null, null));

        assertThat(pauses.lift("r", minute(5), "ben")).isTrue();
        assertThat(pauses.lift("r", minute(6), "ann")).isFalse();
        assertThat(records.marks("r").isPaused()).isFalse();
        assertThat(pauses.begin("r", minute(7), "ann")).isTrue();
        assertThat(pauses.of("r")).containsExactly(new Pause(minute(1), "ann", minute(5), "ben"), new Pause(minute(7), "ann", null, null));
        assertThat(pauses.of("other")).isEmpty();
    }

    @Test
    void ofManyWhoPauseARunAtOnceOneDoesAndOfManyWhoLiftItToo() {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger lifted = new AtomicInteger();
        for (int round = 1; round <= 20; round++) {
            try (ExecutorService side = Executors.newVirtualThreadPerTaskExecutor()) {
                IntStream.range(0, 10).forEach(i -> side.submit(() -> begun.addAndGet(new Pauses(store).begin("r", minute(1), "ann") ? 1 : 0)));
            }
            assertThat(begun).hasValue(round);
            try (ExecutorService side = Executors.newVirtualThreadPerTaskExecutor()) {
                IntStream.range(0, 10).forEach(i -> side.submit(() -> lifted.addAndGet(new Pauses(store).lift("r", minute(2), "ben") ? 1 : 0)));
            }
            assertThat(lifted).hasValue(round);
        }
    }

    @Test
    void theTimeOfAPauseIsGivenBackWhenItIsLifted() {
        RunHeader run = World.header("r", "{\"time_limit_seconds\": 600}");
        Extensions limits = new Extensions(store);
        pauses.begin("r", minute(1), "ann");
        assertThat(limits.onto(run)).as("nobody knows yet how long it lasts").isEqualTo(CurrentLimits.of(run));
        pauses.lift("r", minute(4), "ann");
        assertThat(limits.onto(run).extension()).isEqualTo(Duration.ofMinutes(3));
        limits.add(run, new Extension(minute(4), "ann", 10, 0));
        pauses.begin("r", minute(5), "ann");
        pauses.lift("r", minute(5).plusMillis(1_500), "ann");
        assertThat(limits.onto(run).deadline()).isEqualTo(run.deadline().plus(Duration.ofMinutes(13)).plusMillis(1_500));
        assertThat(records.marks("r").isExtended()).isTrue();
    }

    @Test
    void clocksThatDisagreeTakeNoTimeAway() {
        assertThat(new Pause(minute(5), "ann", minute(3), "ben").length()).isZero();
        assertThat(new Pause(minute(5), "ann", null, null).length()).isZero();
        assertThat(new Pause(minute(5), "ann", null, null).upTo(minute(7)).length()).isEqualTo(Duration.ofMinutes(2));
        assertThat(new Pause(minute(5), "ann", minute(6), "ben").upTo(minute(9)).length()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void thereIsAnEnd() {
        for (int i = 0; i < 50; i++) {
            pauses.begin("r", minute(i), "ann");
            pauses.lift("r", minute(i), "ann");
        }
        assertThatThrownBy(() -> pauses.begin("r", minute(60), "ann")).isInstanceOf(Invalid.class).hasMessageContaining("run r has been paused 50 times");
        assertThatThrownBy(() -> pauses.begin("other", minute(60), "x".repeat(101))).isInstanceOf(Invalid.class).hasMessageContaining("at most 100");
        assertThat(pauses.of("other")).isEmpty();
    }

    @Test
    void oneThatIsDamagedIsNamedAndCanBeLiftedAllTheSame() {
        store.create("runs/r/pause-1.json", "{".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> pauses.of("r")).isInstanceOf(DamagedRecord.class).hasMessageContaining("runs/r/pause-1.json");
        assertThat(pauses.lift("r", minute(1), "ann")).isTrue();
        assertThat(records.marks("r").isPaused()).isFalse();
    }

    @Test
    void aCancelledRunDoesNotStandStill() {
        RunMarks paused = new RunMarks(List.of("run.json", "pause-1.json"));
        assertThat(paused.isSuspended()).isTrue();
        RunMarks both = new RunMarks(List.of("run.json", "pause-1.json", "cancelled.json"));
        assertThat(both.isPaused()).isTrue();
        assertThat(both.isSuspended()).isFalse();
    }
}

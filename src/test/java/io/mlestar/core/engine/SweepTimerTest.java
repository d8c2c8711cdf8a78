package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SweepTimerTest {
    private final OneEngine.MovingClock clock = new OneEngine.MovingClock();
    private final RunHeader run = World.header("r", "{\"time_limit_seconds\": 600}");
    private final CurrentLimits limits = CurrentLimits.of(run);
    private final SweepTimer alarm = new SweepTimer(clock);

    @Test
    @Requirement("REQ-OR-024")
    void somebodyLooksNowAndThenAndWhenTheTimeOfAStepIsOver() {
        assertThat(alarm.pause(limits)).isEqualTo(Duration.ofSeconds(30));
        alarm.asked(run, StepPath.parse("r/phase2-path0"),
                new StepRequest("type", Json.object(), "p", World.NOW, World.NOW.plusSeconds(10), false));
        assertThat(alarm.pause(limits)).as("with some slack").isEqualTo(Duration.ofSeconds(20));
        clock.now = World.NOW.plusSeconds(20);
        assertThat(alarm.pause(limits)).isEqualTo(Duration.ofSeconds(30));
        clock.now = limits.finalizeAt();
        assertThat(alarm.pause(limits)).isEqualTo(Duration.ofSeconds(10));
        clock.now = run.deadline();
        assertThat(alarm.pause(limits)).as("what was lost now would make the run end late")
                .isEqualTo(Duration.ofSeconds(2));
        clock.now = run.deadline().plusSeconds(24);
        assertThat(alarm.pause(limits)).isEqualTo(Duration.ofSeconds(1));
    }
}

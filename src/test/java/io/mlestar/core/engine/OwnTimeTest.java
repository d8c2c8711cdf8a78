package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What a run costs beside its models and scripts, which answer at once here.
class OwnTimeTest {
    private static final Duration OF_A_PHASE = Duration.ofSeconds(5);
    private static final Duration OF_A_TRANSITION = Duration.ofMillis(100);

    private int steps;

    /// A run with the paper's own settings; its phases together keep the bound that each of them
    /// has.
    @Test
    @Requirement({"REQ-P1-037", "REQ-P3-036", "REQ-FN-037", "REQ-OR-048"})
    void aWholeRunTakesLessThanAnyOfItsPhasesMay() throws Exception {
        Duration own = CpuTime.ofProcess(() -> {
            OneEngine one = new OneEngine();
            assertThat(one.runToTheEnd("{}").path("phases_completed")).hasSize(4);
            steps = one.world.paid.size();
        });
        assertThat(steps).isGreaterThan(150);
        assertThat(own).isLessThan(OF_A_PHASE);
        assertThat(own.dividedBy(steps)).isLessThan(OF_A_TRANSITION);
    }
}

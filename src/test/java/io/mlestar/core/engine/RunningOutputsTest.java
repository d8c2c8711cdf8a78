package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.StepPath;
import org.junit.jupiter.api.Test;

class RunningOutputsTest {
    private static final StepPath STEP = new StepPath("r", "phase1/candidate0/evaluation/script");

    private final RunningOutputs outputs = new RunningOutputs();

    @Test
    void theLastLinesAreShownWithoutTheirControls() {
        outputs.begun(STEP, most -> "one\ntwo\n\u001b[2Jthree\n");
        assertThat(outputs.tail(STEP, 2)).contains("two\n\\u001b[2Jthree");
    }

    @Test
    void aProgressBarIsItsLastStates() {
        outputs.begun(STEP, most -> "10%\r20%\r30%");
        assertThat(outputs.tail(STEP, 1)).contains("30%");
    }

    @Test
    void noMoreIsReadThanCanBeShown() {
        outputs.begun(STEP, most -> "x".repeat(most));
        assertThat(outputs.tail(STEP, 100).orElseThrow()).hasSizeLessThanOrEqualTo(16 << 10);
    }

    @Test
    void nothingIsKnownOfWhatRunsElsewhereOrHasEnded() {
        assertThat(outputs.tail(STEP, 10)).isEmpty();
        outputs.begun(STEP, most -> "");
        assertThat(outputs.tail(STEP, 10)).contains("");
        outputs.ended(STEP);
        assertThat(outputs.tail(STEP, 10)).isEmpty();
    }
}

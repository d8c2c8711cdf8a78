package io.mlestar.app.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.StepPath;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private static String said(Attempts attempts, String step, int second, int deadline) {
        return attempts.said(StepPath.parse("r/" + step), BEGIN.plusSeconds(second), BEGIN.plusSeconds(deadline)).orElse("nothing");
    }

    @Test
    void eachAttemptHasANumberAndThreeTellHowLongTheOthersMayTake() {
        Attempts attempts = new Attempts(32, 0);
        attempts.begun(StepPath.parse("r/phase1/retriever"), BEGIN);
        attempts.begun(StepPath.parse("r/phase2-path0/block0/attempt0/coder"), BEGIN.plusSeconds(100));
        attempts.begun(StepPath.parse("r/phase2-path1/block0/attempt0/coder"), BEGIN.plusSeconds(150));
        assertThat(said(attempts, "phase1/candidate0/evaluation/script", 120, 86_400)).isEqualTo("nothing");
        assertThat(said(attempts, "phase2-path0/block0/script", 120, 86_400)).isEqualTo("nothing");
        assertThat(said(attempts, "phase2-path0/block0/attempt0/evaluation/script", 130, 86_400)).isEqualTo("attempt 1 of 32");
        assertThat(said(attempts, "phase2-path1/block0/attempt0/evaluation/script", 160, 86_400)).isEqualTo("attempt 2 of 32");
        assertThat(said(attempts, "phase2-path0/block0/attempt0/evaluation/script-2", 170, 86_400)).isEqualTo("attempt 1 of 32");
        assertThat(said(attempts, "phase2-path0/block0/attempt1/evaluation/script", 280, 86_400)).isEqualTo("attempt 3 of 32, about 29 min to go");
    }

    @Test
    void aRunThatIsCarriedOnCountsOnAndNothingTakesLongerThanTheRunMay() {
        Attempts attempts = new Attempts(8, 4);
        attempts.begun(StepPath.parse("r/phase2-path0/block1/attempt0/coder"), BEGIN);
        assertThat(said(attempts, "phase2-path0/block1/attempt0/evaluation/script", 300, 1_000)).isEqualTo("attempt 5 of 8");
        assertThat(said(attempts, "phase2-path0/block1/attempt1/evaluation/script", 600, 1_000)).isEqualTo("attempt 6 of 8");
        assertThat(said(attempts, "phase2-path0/block1/attempt2/evaluation/script", 980, 1_000)).isEqualTo("attempt 7 of 8, about 20 s to go");
        assertThat(said(attempts, "phase2-path0/block1/attempt3/evaluation/script", 990, 1_000)).isEqualTo("attempt 8 of 8");
    }
}

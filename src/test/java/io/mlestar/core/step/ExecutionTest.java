package io.mlestar.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.task.EvaluationResult;
import org.junit.jupiter.api.Test;

class ExecutionTest {
    private static final Submission SUBMISSION = new Submission("key", 10, 2);

    private static Execution execution(Double score, int exitCode, boolean timedOut) {
        boolean error = exitCode != 0;
        EvaluationResult evaluation = new EvaluationResult(score, "", "", exitCode, 1.5, error, null);
        return Execution.of(evaluation, timedOut, error ? null : SUBMISSION, error ? "Traceback\nValueError: no\n" : null);
    }

    @Test
    void aScorePrintedBeforeAFailureDoesNotCount() {
        assertThat(execution(0.9, 0, false)).isInstanceOfSatisfying(Execution.Scored.class, scored -> {
            assertThat(scored.score()).isEqualTo(0.9);
            assertThat(scored.submission()).isEqualTo(SUBMISSION);
        });
        assertThat(execution(0.9, 1, false)).isInstanceOfSatisfying(Execution.Crashed.class,
                crashed -> assertThat(crashed.error()).isEqualTo("ValueError: no"));
        assertThat(execution(null, 0, false)).isInstanceOf(Execution.Silent.class);
    }

    @Test
    void aTimeoutAndASignalAreNoCrashes() {
        assertThat(execution(0.9, 143, true)).isInstanceOf(Execution.TimedOut.class);
        assertThat(execution(0.9, 137, false)).isInstanceOf(Execution.Killed.class);
        assertThat(execution(0.9, 128, false)).isInstanceOf(Execution.Crashed.class);
    }
}

package io.mlestar.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.step.Execution.Submission;
import io.mlestar.task.EvaluationResult;
import io.mlestar.task.Json;
import org.junit.jupiter.api.Test;

class ExecutionTest {
    static Execution execution(Double score, boolean isError) {
        EvaluationResult evaluation = new EvaluationResult(score, "", "", isError ? 1 : 0, 1.5, isError, null);
        return new Execution(evaluation, false, new Submission("key", 10, 2), isError ? "bug" : null);
    }

    @Test
    void aScorePrintedBeforeAFailureDoesNotCount() {
        assertThat(execution(0.9, false).score()).isEqualTo(0.9);
        assertThat(execution(0.9, true).score()).isNull();
        assertThat(execution(null, false).score()).isNull();
    }

    @Test
    void survivesARoundTrip() {
        Execution execution = execution(0.9, true);

        assertThat(Json.read(Json.parse(Json.text(execution)), Execution.class)).isEqualTo(execution);
    }
}

package io.mlestar.core.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.World;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The JSON form of results, which programs of other languages read too.
class StepResultTest {
    private static EvaluationResult shown(Double score, int exitCode) {
        return new EvaluationResult(Score.printed(score), "out", "err", exitCode, 1.5, exitCode != 0, null);
    }

    private static StepResult again(StepResult result) {
        return Json.read(Json.parse(Json.bytes(result)), StepResult.class);
    }

    @Test
    void whateverAScriptShowedIsReadAsItWasWritten() {
        List<Execution> shown = List.of(new Execution.Scored(shown(0.9, 0), new Submission("key", 10, 2)),
                new Execution.Silent(shown(null, 0), null),
                new Execution.Crashed(shown(0.9, 1), "bug"), new Execution.TimedOut(shown(null, -1), "bug"),
                new Execution.Killed(shown(null, 137), "bug"));
        assertThat(shown).allSatisfy(execution -> assertThat(again(
                StepResult.of(new Outcome.Done<>(execution), World.NOW, World.NOW, 0.0)).done().orElseThrow()
                .execution()).isEqualTo(execution));
    }

    @Test
    void itsFieldsAreThoseOfEveryResult() {
        StepResult ran = StepResult.of(new Outcome.Done<>(new Execution.Crashed(shown(null, 1), "bug")), World.NOW,
                World.NOW, 0.0);
        assertThat(Json.tree(ran).fieldNames()).toIterable()
                .containsExactly("status", "value", "reason", "started_at", "ended_at", "cost_usd", "shared_with",
                        "totals", "scorings");
        assertThat(Json.tree(ran).path("status").asText()).isEqualTo("done");
        assertThat(Json.tree(ran).path("value").fieldNames()).toIterable().containsExactly("evaluation", "timed_out",
                "submission", "bug");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    {"value": 1, "started_at": "2026-01-01T00:00:00Z", "ended_at": "2026-01-01T00:00:00Z"} | status
                    {"status": "done", "started_at": "2026-01-01T00:00:00Z", "ended_at": "2026-01-01T00:00:00Z"} | value
                    {"status": "failed", "reason": "x", "ended_at": "2026-01-01T00:00:00Z"} | started_at
                    {"status": "failed", "started_at": "2026-01-01T00:00:00Z", "ended_at": "2026-01-01T00:00:00Z", "scorings": [{"score": 1}]} | step
                    {"status": "failed", "started_at": "2026-01-01T00:00:00Z", "ended_at": "2026-01-01T00:00:00Z", "scorings": [{"step": "r/../x", "ended_at": "2026-01-01T00:00:00Z"}]} | path
                    {"status": "perhaps", "started_at": "2026-01-01T00:00:00Z", "ended_at": "2026-01-01T00:00:00Z"} | status
                    """)
    void whatIsMissingIsNamed(String json, String field) {
        assertThatThrownBy(() -> Json.read(Json.parse(json), StepResult.class)).isInstanceOf(Invalid.class)
                .hasMessageContaining(field);
    }
}

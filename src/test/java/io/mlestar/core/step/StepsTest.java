package io.mlestar.core.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepsTest {
    private static final RunScript SCRIPT = new RunScript("print(1)", Kind.SOLUTION, 60);

    /// Ends every step in the same way.
    private record Ending(Outcome<?> outcome) implements Steps {
        @Override
        public RunContext context() {
            throw new AssertionError("nobody asks");
        }

        @Override
        @SuppressWarnings("unchecked")
        public <R> List<Outcome<R>> callAll(List<? extends Step<R>> steps) {
            return steps.stream().map(step -> (Outcome<R>) outcome).toList();
        }
    }

    private static Steps ending(Outcome<Execution> outcome) {
        return new Ending(outcome);
    }

    @Test
    void aDoneStepGivesItsResult() {
        Execution execution = new Execution.Silent(new EvaluationResult(Score.NONE, "", "", 0, 1, false, null), null);
        Steps steps = ending(new Outcome.Done<>(execution));

        assertThat(steps.call(SCRIPT)).isSameAs(execution);
        assertThat(steps.attempt(SCRIPT)).containsSame(execution);
    }

    @Test
    void aFailedStepIsAnErrorNamingItOrEmpty() {
        Steps steps = ending(new Outcome.Failed<>("out of reach"));

        assertThatThrownBy(() -> steps.call(SCRIPT)).isInstanceOf(StepFailed.class).hasMessage("script: out of reach");
        assertThat(steps.attempt(SCRIPT)).isEmpty();
        assertThat(steps.outcome(SCRIPT)).isEqualTo(new Outcome.Failed<Execution>("out of reach"));
    }

    @Test
    void aStoppedStepStopsThePhaseEitherWay() {
        Steps steps = ending(new Outcome.Stopped<>("no time left"));

        assertThatThrownBy(() -> steps.call(SCRIPT)).isInstanceOf(StepStopped.class).hasMessage("no time left");
        assertThatThrownBy(() -> steps.attempt(SCRIPT)).isInstanceOf(StepStopped.class).hasMessage("no time left");
    }
}

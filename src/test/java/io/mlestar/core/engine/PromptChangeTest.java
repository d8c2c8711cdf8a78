package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Functions are rolled out one by one, each with the prompts of its day.
class PromptChangeTest extends OneEngine {
    private static final String SHORT = "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 3}";
    private final World rolledOut = new World(1, 0);
    private final Engine planner = process(rolledOut);

    PromptChangeTest() {
        rolledOut.prompts = "other";
    }

    /// The planner's steps go to its own process, all others to the first one.
    private void deliverByFunction() {
        while (!events.isEmpty()) {
            deliver(Event.stepOf(events.peek().data()).plainName().equals("planner") ? planner : engine);
        }
    }

    private void untilThePlannerWasAskedOnce() {
        until(() -> world.paid.keySet().stream().anyMatch(step -> step.plainName().equals("planner")));
    }

    private StepResult end() {
        return records.result(StepPath.root("r")).orElseThrow();
    }

    @Test
    void aRunGoesOnWhereAnotherAgentsPromptWasRolledOut() {
        engine.start(World.header("r", SHORT));
        deliverByFunction();
        assertThat(end().status()).isEqualTo(StepResult.Status.DONE);
        assertThat(rolledOut.paid.keySet()).as("planned with the new prompt").isNotEmpty();
        assertThat(records.marks("r").halt()).isEmpty();
    }

    @Test
    void theStepsOfAnAgentWhosePromptChangesInTheMiddleOfARunWaitUntilItIsToldOtherwise() {
        engine.start(World.header("r", SHORT));
        untilThePlannerWasAskedOnce();
        deliverByFunction();
        assertThat(records.hasEnded("r")).isFalse();
        assertThat(rolledOut.paid).isEmpty();
        assertThat(records.halted("r", records.marks("r")))
                .hasValueSatisfying(why -> assertThat(why).contains("agent planner").contains("mlestar resume r"));

        Sweep sweep = sweep(engine);
        assertThat(sweep.all(Duration.ofDays(1))).isZero();
        assertThat(sweep.troubles()).containsEntry(RunTrouble.TroubleKind.HALTED, 1);
        records.accept("r", AgentType.PLANNER, "other");
        assertThat(records.halted("r", records.marks("r"))).isEmpty();
        clock.now = clock.now.plus(Duration.ofHours(1));
        assertThat(sweep(engine).all(Duration.ofMinutes(15))).isPositive();
        deliverByFunction();
        assertThat(end().status()).isEqualTo(StepResult.Status.DONE);
        assertThat(rolledOut.paid).isNotEmpty();
    }

    @Test
    void aRunWhoseStepsWaitEndsByItsDeadlineWithTheBestSoFar() {
        engine.start(World.header("r", SHORT));
        untilThePlannerWasAskedOnce();
        deliverByFunction();
        clock.now = World.NOW.plus(Duration.ofDays(1)).plus(Sweep.SLACK);
        sweep(engine).all(Duration.ofMinutes(15));
        deliverByFunction();
        assertThat(records.hasEnded("r")).isTrue();
    }
}

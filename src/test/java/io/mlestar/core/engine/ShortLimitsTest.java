package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A run of minutes uses them.
class ShortLimitsTest {
    private static final String ONE_MODEL =
            "{\"time_limit_seconds\": 600, \"num_retrieved_models\": 1, \"num_parallel_solutions\": 1}";

    /// One step after the other, each of which takes its time.
    ///
    /// @param silent whether no agent but the retriever answers
    private static OneEngine run(Duration answer, boolean silent) {
        return run(answer, silent, 1, ONE_MODEL);
    }

    private static OneEngine run(Duration answer, boolean silent, int scriptSeconds, String config) {
        World world = new World(1, 0);
        OneEngine one = new OneEngine(world);
        world.asking(question -> {
            boolean late = silent && !question.step().plainName().equals("retriever")
                    || answer.compareTo(question.timeout()) > 0;
            one.clock.now = one.clock.now.plus(late ? question.timeout() : answer);
            if (late) {
                throw new ModelUnavailable("the model did not answer");
            }
            return question.answer();
        }).running(job -> {
            Execution ran = job.execution();
            one.clock.now = one.clock.now.plusSeconds(scriptSeconds);
            return ran;
        });
        one.runToTheEnd(config);
        return one;
    }

    /// Three candidates and a merge take longer than a tenth of four hours; the whole run does not.
    @Test
    @Requirement({"REQ-OR-025", "REQ-P1-030"})
    void aPhaseGoesOnBeyondItsShareIfTheOthersHaveTimeEnough() {
        OneEngine run = run(Duration.ofSeconds(30), false, 350,
                """
                        {"time_limit_seconds": 14400, "num_retrieved_models": 3, "outer_loop_steps": 2, "inner_loop_steps": 2, "num_parallel_solutions": 2,
                         "ensemble_rounds": 2}""");
        assertThat(Walk.READABLE.steps(run.records, "r").filter(step -> step.result().orElseThrow().isStopped()))
                .isEmpty();
        assertThat(Walk.READABLE.steps(run.records, "r").map(step -> step.path().inside()))
                .contains("phase1/merge1/evaluation/script", "phase1/data");
        assertThat(Json.parse(run.store.read("runs/r/result.json").orElseThrow()).path("phases_completed")).hasSize(4);
    }

    @Test
    void aModelThatSaysNothingIsTheCauseThatIsTold() {
        OneEngine run = run(Duration.ofSeconds(3), true);
        assertThat(run.records.result(StepPath.root("r")).orElseThrow().reason()).startsWith("the model did not answer")
                .contains("600 s");
        assertThat(run.clock.now).isBetween(World.NOW.plusSeconds(590), World.NOW.plusSeconds(630));
    }
}

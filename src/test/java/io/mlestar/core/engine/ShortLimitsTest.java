package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A run of minutes uses them.
class ShortLimitsTest {
    private static final String ONE_MODEL = "{\"time_limit_seconds\": 600, \"num_retrieved_models\": 1, \"num_parallel_solutions\": 1}";

    /// One step after the other, each of which takes its time.
    private static final class Slow extends ForwardingPerformer {
        private final Duration answer;
        private final boolean silent;
        private OneEngine.MovingClock clock;

        Slow(Duration answer, boolean silent) {
            super(new World(1, 0));
            this.answer = answer;
            this.silent = silent;
        }

        @Override
        public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
            boolean late = silent && !step.plainName().equals("retriever") || answer.compareTo(timeout) > 0;
            clock.now = clock.now.plus(late ? timeout : answer);
            if (late) {
                throw new ModelUnavailable("the model did not answer");
            }
            return super.ask(step, agent, brief, timeout, second);
        }

        @Override
        public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
            Execution ran = super.run(step, script, brief, window, begin);
            clock.now = clock.now.plusSeconds(1);
            return ran;
        }
    }

    private static OneEngine run(Slow slow) {
        OneEngine one = new OneEngine(new World(1, 0), slow);
        slow.clock = one.clock;
        one.runToTheEnd(ONE_MODEL);
        return one;
    }

    private static boolean hasScored(KnownStep evaluation) {
        return evaluation.done().stream().flatMap(done -> Objects.requireNonNullElse(done.scorings(), List.<Scoring>of()).stream())
                .anyMatch(scored -> scored.score() != null);
    }

    @Test
    @Requirement({"REQ-OR-024", "REQ-OR-034"})
    void ofTwoMinutesMostAreForTheSearchIfAnswersTakeSeconds() {
        for (long seed = 0; seed < 10; seed++) {
            Weather weather = new Weather(false, 120, 2, 1, 4, 0, 0, Duration.ZERO, 0, Instant.MAX, Instant.MAX, null, false);
            SimulatedCluster run = new SimulatedCluster(seed, weather, "{\"time_limit_seconds\": 120}", 0);
            assertThat(run.runToTheEnd()).as("seed %d", seed).isLessThan(Duration.ZERO);
            assertThat(run.records().all(StepPath.root("r")).filter(step -> step.path().inside().matches("phase2-.*/attempt\\d+/evaluation"))
                    .filter(ShortLimitsTest::hasScored)).as("attempts with a score, seed %d", seed)
                    .hasSizeGreaterThan(3);
            assertThat(Json.parse(run.records().store().read("runs/r/result.json").orElseThrow()).path("submission_source").asText()).as("seed %d", seed)
                    .isEqualTo("finalization");
        }
    }

    @Test
    @Requirement({"REQ-OR-024", "REQ-P1-022"})
    void aRunThatHasNoSolutionKeepsNoTimeToFinalizeIt() {
        OneEngine run = run(new Slow(Duration.ofSeconds(100), false));
        assertThat(run.records.all(StepPath.root("r")).filter(ShortLimitsTest::hasScored)).isNotEmpty();
        assertThat(run.store.read("runs/r/failed.json")).isEmpty();
    }

    @Test
    void aModelThatSaysNothingIsTheCauseThatIsTold() {
        OneEngine run = run(new Slow(Duration.ofSeconds(3), true));
        assertThat(run.records.result(StepPath.root("r")).orElseThrow().reason()).startsWith("the model did not answer").contains("600 s");
        assertThat(run.clock.now).isBetween(World.NOW.plusSeconds(590), World.NOW.plusSeconds(630));
    }
}

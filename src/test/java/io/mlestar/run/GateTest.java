package io.mlestar.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.agent.Coder;
import io.mlestar.phase.Merge;
import io.mlestar.phase.Refinement;
import io.mlestar.step.Step;
import io.mlestar.step.StepPath;
import io.mlestar.store.MemoryStore;
import io.mlestar.task.Json;
import io.mlestar.task.SolutionPhase;
import io.mlestar.task.SolutionScript;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateTest {
    private static final SolutionScript SCRIPT = SolutionScript.unscored("x = 1", SolutionPhase.INIT).scored(0.5);
    private static final Merge OPTIONAL = new Merge(1, SCRIPT, SCRIPT);
    private static final Coder AGENT = new Coder("x = 1", "plan");

    private final Records records = new Records(new MemoryStore());
    private final World world = new World(1, 0);
    private final Gate gate = new Gate(records, new Ledger(records), world);

    private Optional<String> refusal(RunHeader run, String path, Step<?> step, long secondsIn, long shareSeconds) {
        StepRequest request = new StepRequest("type", Json.object(), "parent", World.NOW, World.NOW.plusSeconds(shareSeconds));
        return gate.refuses(run, new StepPath("r", path), request, step, World.NOW.plusSeconds(secondsIn));
    }

    @ParameterizedTest
    @CsvSource({
        // limit, kept for finalization: 10 % or five minutes, but of the five minutes at most half the limit
        "86400, 8640", "1000, 300", "600, 300", "400, 200", "60, 30"
    })
    @Requirement("REQ-OR-034")
    void theEndOfTheTimeLimitIsKeptForFinalization(int limit, long reserve) {
        RunHeader run = World.header("r", "{\"time_limit_seconds\": " + limit + "}");
        assertThat(refusal(run, "phase1/merge1", OPTIONAL, limit - reserve - 1, limit)).isEmpty();
        assertThat(refusal(run, "phase1/merge1", OPTIONAL, limit - reserve, limit)).isPresent();
        assertThat(refusal(run, "phase1/x/coder", AGENT, limit - reserve, limit)).as("an iteration may end").isEmpty();
    }

    @Test
    @Requirement("REQ-OR-024")
    void afterTheDeadlineNothingBeginsButFinalization() {
        RunHeader run = World.header("r", "{\"time_limit_seconds\": 60}");
        assertThat(refusal(run, "phase2-path0/x/coder", AGENT, 60, 60)).hasValueSatisfying(why -> assertThat(why).contains("60 s"));
        assertThat(refusal(run, "finalization/test", AGENT, 84, 60)).isEmpty();
        assertThat(refusal(run, "finalization/test", AGENT, 86, 60)).isPresent();
    }

    @Test
    @Requirement("REQ-OR-029")
    void aSpentBudgetStopsEverythingButFinalization() {
        RunHeader run = World.header("r", "{\"max_budget_usd\": 1.0}");
        spend("phase1/coder-1", 0.99);
        assertThat(refusal(run, "phase1/coder", AGENT, 0, 60)).isEmpty();
        spend("phase1/coder-2", 0.02);
        assertThat(refusal(run, "phase1/coder", AGENT, 0, 60)).hasValueSatisfying(why -> assertThat(why).contains("$1.0100 spent"));
        assertThat(refusal(run, "finalization/test", AGENT, 0, 60)).isEmpty();
    }

    @Test
    void anAnswerThatWouldPassTheBudgetIsNotAskedForAndAScriptIsRun() {
        RunHeader run = World.header("r", "{\"max_budget_usd\": 1.0}");
        spend("phase1/coder-1", 0.9);
        world.estimate = 0.11;
        assertThat(refusal(run, "phase1/coder", AGENT, 0, 60)).hasValueSatisfying(why -> assertThat(why).contains("would be passed", "$0.1100"));
        assertThat(refusal(run, "phase1/merge1", OPTIONAL, 0, 60)).as("a phase costs nothing itself").isEmpty();
        world.estimate = 0.09;
        assertThat(refusal(run, "phase1/coder", AGENT, 0, 60)).isEmpty();
    }

    @Test
    @Requirement("REQ-OR-026")
    void aPathThatUsedUpItsShareBeginsNoFurtherIteration() {
        RunHeader run = World.header("r", "{}");
        assertThat(refusal(run, "phase2-path0/block1", OPTIONAL, 99, 100)).isEmpty();
        assertThat(refusal(run, "phase2-path0/block1", OPTIONAL, 100, 100)).hasValueSatisfying(why -> assertThat(why).contains("share"));
    }

    @Test
    @Requirement({"REQ-OR-025", "REQ-OR-026"})
    void aPathGetsThePartOfTheRemainingTimeThatPhase2Has() {
        RunHeader run = World.header("r", "{\"time_limit_seconds\": 90000}");
        StepRequest root = new StepRequest("type", Json.object(), null, World.NOW, run.deadline());
        Instant begin = World.NOW.plusSeconds(9_000);
        Instant end = Gate.deadline(run, root, new Refinement(0, SCRIPT), begin);
        // 81,000 s are left; 0.65 of 0.90 belong to Phase 2, and all paths run at once.
        assertThat(Duration.between(begin, end).toSeconds()).isEqualTo(58_500);
    }

    @Test
    void aScriptMayTakeWhatIsLeftOfItsPhaseAndAlwaysASecond() {
        RunHeader run = World.header("r", "{}");
        StepRequest request = new StepRequest("type", Json.object(), "parent", World.NOW, World.NOW.plusSeconds(100));
        StepPath script = StepPath.parse("r/phase1/script");
        assertThat(Gate.timeLeft(run, script, request, World.NOW.plusSeconds(40))).isEqualTo(Duration.ofSeconds(60));
        assertThat(Gate.timeLeft(run, script, request, World.NOW.plusSeconds(400))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    @Requirement("REQ-OR-032")
    void whatWasSpentIsCountedFromTheStoreInOpenPhasesTooAndBesideUnknownPrices() {
        spend("phase1/coder", 0.25);
        spend("phase2-path0/coder", 0.5);
        spend("phase2-path0/planner", null);
        records.create(StepPath.parse("r/phase2-path0"), new StepResult(StepResult.Status.DONE, Json.object(), null, World.NOW, World.NOW, null, null));
        spend("phase2-path1/coder", 7.0);
        records.create(StepPath.parse("r/phase2-path1"), new StepResult(StepResult.Status.DONE, Json.object(), null, World.NOW, World.NOW, 1.0, null));
        assertThat(new Ledger(records).spent("r")).as("a finished phase with a sum is not walked through").isEqualTo(1.75);
    }

    /// One answer that was paid for, in a phase of its own.
    private void spend(String path, Double usd) {
        StepPath agent = new StepPath("r", path);
        records.create(agent.parent().orElseThrow(), new StepRequest("io.mlestar.phase.merge", Json.object(), "p", World.NOW, World.NOW));
        records.create(agent, new StepRequest("io.mlestar.agent.coder", Json.object(), "p", World.NOW, World.NOW));
        records.create(agent, new StepResult(StepResult.Status.DONE, Json.object(), null, World.NOW, World.NOW, usd, null));
    }
}

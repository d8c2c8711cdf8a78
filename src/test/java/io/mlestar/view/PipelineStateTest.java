package io.mlestar.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.engine.MadeRun;
import io.mlestar.records.Records;
import io.mlestar.step.StepPath;
import io.mlestar.store.ForwardingStore;
import io.mlestar.store.MemoryStore;
import io.mlestar.store.WatchedStore;
import io.mlestar.task.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// REQ-OR-050: every field of the state of a run, while it goes on and after.
class PipelineStateTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 2}";
    private static final double COST_OF_AN_ANSWER = 0.01;

    private static JsonNode state(MadeRun run) {
        return Json.tree(RunState.of(run.records(), run.header(), run.end()));
    }

    private static MadeRun after(int events, String config) {
        return MadeRun.after(new MemoryStore(), "r", config, 1, 0, events);
    }

    @Test
    @Requirement("REQ-OR-050")
    void aRunUnderWayIsCountedAsFarAsItGot() {
        double elapsed = 0;
        int calls = 0;
        for (int events : new int[] {10, 45, 125}) {
            MadeRun run = after(events, CONFIG);
            JsonNode state = state(run);
            assertThat(state.path("elapsed_seconds").asDouble()).isGreaterThan(elapsed)
                    .isCloseTo(Duration.between(run.header().startedAt(), run.end()).toMillis() / 1000.0, within(0.001));
            assertThat(state.path("agent_call_count").asInt()).isGreaterThan(calls);
            elapsed = state.path("elapsed_seconds").asDouble();
            calls = state.path("agent_call_count").asInt();
            assertThat(state.path("accumulated_cost_usd").asDouble()).isCloseTo(calls * COST_OF_AN_ANSWER, within(1e-9));
        }
        assertThat(state(after(5, CONFIG)).path("current_phase").asText()).isEqualTo("phase1");
        assertThat(state(after(5, CONFIG)).path("best_score_so_far").isNull()).isTrue();
        assertThat(state(after(125, CONFIG)).path("phase2_path_statuses")).extracting(JsonNode::asText).containsOnly("running");
    }

    @Test
    @Requirement("REQ-OR-050")
    void anEndedRunHasTheCostAndTheTimeOfItsResult() {
        MemoryStore store = new MemoryStore();
        JsonNode state = state(MadeRun.ended(store, "r", CONFIG, 1, 0));
        JsonNode result = Json.parse(store.read("runs/r/result.json").orElseThrow());
        assertThat(state.path("current_phase").asText()).isEqualTo("complete");
        assertThat(state.path("accumulated_cost_usd").asDouble()).isPositive().isCloseTo(result.path("total_cost_usd").asDouble(), within(1e-9));
        assertThat(state.path("agent_call_count").asInt()).isEqualTo((int) Math.round(state.path("accumulated_cost_usd").asDouble() / COST_OF_AN_ANSWER));
        assertThat(state.path("phase2_path_statuses")).extracting(JsonNode::asText).isEqualTo(List.of("completed", "completed"));
    }

    /// Beside its header, which whoever asks has read.
    @ParameterizedTest
    @ValueSource(strings = {CONFIG, "{\"outer_loop_steps\": 4, \"max_budget_usd\": 0.6}"})
    void theStateOfARunThatEndedWellIsReadFromTwoObjectsAndIsThatOfItsSteps(String config) {
        MemoryStore kept = new MemoryStore();
        MadeRun run = MadeRun.ended(kept, "r", config, 1, 0);
        WatchedStore store = new WatchedStore(kept);

        RunState read = RunState.of(new Records(store), run.header(), run.end());

        assertThat(store.read()).containsExactly("runs/r/steps.result.json", "runs/r/tally.json");
        assertThat(store.listed()).isEmpty();
        Records uncounted = new Records(new ForwardingStore(kept) {
            @Override
            public Optional<byte[]> read(String key) {
                return key.endsWith("tally.json") ? Optional.empty() : super.read(key);
            }
        });
        assertThat(Json.tree(read)).isEqualTo(Json.tree(RunState.of(uncounted, run.header(), run.end())));
    }

    @Test
    @Requirement("REQ-OR-050")
    void aPathThatWasCutShortIsNotCalledCompleted() {
        MadeRun run = after(Integer.MAX_VALUE, "{\"outer_loop_steps\": 4, \"max_budget_usd\": 0.6}");
        JsonNode path = run.records().result(StepPath.root("r").child("phase2-path0")).orElseThrow().stored().value();
        assertThat(path.path("step_history").size()).isBetween(1, 3);
        assertThat(state(run).path("phase2_path_statuses").path(0).asText()).isEqualTo("cancelled");
    }
}

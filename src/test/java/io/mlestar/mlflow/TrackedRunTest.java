package io.mlestar.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.engine.MadeRun;
import io.mlestar.store.MemoryStore;
import io.mlestar.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What an MLflow server knows of a run after it was told, by however many processes.
class TrackedRunTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 1}";
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    @AutoClose
    private StandIn mlflow;

    private final Store store = new MemoryStore();

    @BeforeEach
    void start() throws Exception {
        mlflow = new StandIn();
    }

    private TrackedRun tracked(MadeRun run) {
        return new TrackedRun(TrackingServer.of(Map.of("MLFLOW_TRACKING_URI", mlflow.address(), "MLFLOW_TRACKING_TOKEN", "secret")).orElseThrow(), "mine",
                run.records(), run.header());
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void aRunThatHasEndedIsThereWithAllThatBelongsToIt() throws Exception {
        assertThat(tracked(MadeRun.ended(store, "r", CONFIG, 3, 20)).tell(LATER)).isEmpty();
        ObjectNode run = mlflow.runs().getFirst();
        assertThat(run.path("info").path("status").asText()).isEqualTo("FINISHED");
        assertThat(StandIn.named(run, "params")).containsEntry("outer_loop_steps", "2").containsEntry("time_limit_seconds", "86400")
                .containsEntry("competition_id", "made-up");
        assertThat(StandIn.named(run, "tags")).containsEntry("mlestar.run_id", "r").containsEntry("mlestar.status", "completed")
                .containsEntry("mlestar.phase", "complete").containsKeys("mlestar.model", "mlestar.version", "mlestar.task");
        List<Integer> steps = mlflow.steps("made1", "cost_usd");
        assertThat(steps).hasSizeGreaterThan(20).isEqualTo(numbers(steps.size()));
        assertThat(mlflow.steps("made1", "best_score")).isNotEmpty().isEqualTo(mlflow.steps("made1", "score"));
        assertThat(mlflow.artefacts()).containsKeys("1/made1/artifacts/final_solution.py", "1/made1/artifacts/result.json",
                "1/made1/artifacts/report.html");
        assertThat(mlflow.authorizations()).containsOnly("Bearer secret");
    }

    @Test
    void whoeverTellsItAgainChangesNothing() throws Exception {
        MadeRun begun = MadeRun.after(store, "r", CONFIG, 3, 0, 30);
        tracked(begun).tell(LATER);
        int known = mlflow.steps("made1", "cost_usd").size();
        assertThat(known).isPositive();
        tracked(begun).tell(LATER);
        assertThat(mlflow.steps("made1", "cost_usd")).isEqualTo(numbers(known));
        assertThat(mlflow.runs()).singleElement().satisfies(run -> assertThat(run.path("info").path("status").asText()).isEqualTo("RUNNING"));
    }

    @Test
    void whatHasOnlyJustEndedIsToldLaterSinceSomethingMayComeBeforeIt() throws Exception {
        MadeRun begun = MadeRun.after(store, "r", CONFIG, 3, 0, 30);
        tracked(begun).tell(begun.header().startedAt());
        assertThat(mlflow.steps("made1", "cost_usd")).isEmpty();
    }

    @Test
    void aProcessThatDiedAfterItMadeTheRunHasNotMadeItInVain() throws Exception {
        MadeRun run = MadeRun.after(store, "r", CONFIG, 3, 0, 30);
        tracked(run).tell(LATER);
        // The same run, in a store that was not told which run of MLflow it is.
        tracked(MadeRun.after(new MemoryStore(), "r", CONFIG, 3, 0, 30)).tell(LATER);
        assertThat(mlflow.runs()).hasSize(1);
        assertThat(mlflow.steps("made1", "cost_usd")).doesNotHaveDuplicates();
    }

    @Test
    void aRunThatFailedHasFailedThereToo() throws Exception {
        MadeRun run = MadeRun.ended(store, "r", CONFIG, 3, 100);
        tracked(run).tell(LATER);
        assertThat(mlflow.runs().getFirst().path("info").path("status").asText()).isEqualTo("FAILED");
        assertThat(mlflow.artefacts()).containsKey("1/made1/artifacts/failed.json");
    }
}

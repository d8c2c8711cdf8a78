package io.mlestar.mlflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.log.Ear;
import io.mlestar.Waiting;
import io.mlestar.engine.MadeRun;
import io.mlestar.records.KnownStep;
import io.mlestar.step.StepPath;
import io.mlestar.store.MemoryStore;
import io.mlestar.task.Invalid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Who watches the runs of a process for MLflow: beside them, and never in their way.
class TrackerTest {
    private static final MadeRun RUN = MadeRun.ended(new MemoryStore(), "r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1}", 3, 0);

    private static Tracker tracker(String address) {
        return new Tracker(RUN.records(), Map.of("MLFLOW_TRACKING_URI", address), Duration.ofMillis(1));
    }

    private static void tell(Tracker tracker) {
        KnownStep phase = RUN.records().known(new StepPath("r", "phase1")).orElseThrow();
        tracker.ended(RUN.header(), phase.path(), phase.request(), phase.result().orElseThrow());
        tracker.failed(RUN.header(), "made up");
    }

    private static List<String> warnings(Runnable work) {
        List<String> said = new ArrayList<>();
        try (Ear ear = new Ear("mle_star.mlflow", line -> said.add(line.getMessage()))) {
            work.run();
        }
        return said;
    }

    @Test
    void whatHappensInTheProcessIsToldBesideIt() throws Exception {
        try (StandIn mlflow = new StandIn(); Tracker tracker = tracker(mlflow.address())) {
            tell(tracker);
            Waiting.until("the run is told", () -> mlflow.runs().stream().anyMatch(run -> run.path("info").path("status").asText().equals("FINISHED")));
            assertThat(mlflow.runs()).hasSize(1);
        }
    }

    @Test
    void theEndOfTheProcessWaitsForWhatIsDue() throws Exception {
        try (StandIn mlflow = new StandIn()) {
            Tracker tracker = tracker(mlflow.address());
            tracker.failed(RUN.header(), "made up");
            tracker.close();
            assertThat(mlflow.runs()).singleElement().satisfies(run -> assertThat(run.path("info").path("status").asText()).isEqualTo("FINISHED"));
        }
    }

    @Test
    void aServerThatDoesNotWorkIsOneWarningWithoutItsSecrets() throws Exception {
        try (StandIn mlflow = new StandIn()) {
            mlflow.setBroken(true);
            assertThat(warnings(() -> {
                Tracker tracker = tracker(mlflow.address().replace("http://", "http://me:secret@"));
                tell(tracker);
                tracker.close();
            })).singleElement().asString().contains("status 500: the disk is full Traceback").doesNotContain("secret", "\n");
        }
        assertThat(warnings(() -> {
            Tracker tracker = tracker("http://127.0.0.1:1");
            tell(tracker);
            tracker.close();
        })).singleElement().asString().contains("MLflow at http://127.0.0.1:1 is not told of run r");
    }

    @Test
    void withoutAServerNothingIsDoneAndWhatIsNoneIsSaid() {
        assertThat(TrackingServer.of(Map.of())).isEmpty();
        for (String other : new String[] {"sqlite:///mlflow.db", "./mlruns", "databricks", "http://", "http://a b"}) {
            assertThatThrownBy(() -> TrackingServer.of(Map.of("MLFLOW_TRACKING_URI", other))).as(other).isInstanceOf(Invalid.class)
                    .hasMessageContaining("MLFLOW_TRACKING_URI is not the address of a tracking server");
        }
        assertThat(warnings(() -> tracker("./mlruns").close())).singleElement().asString().contains("nothing is told to MLflow");
    }
}

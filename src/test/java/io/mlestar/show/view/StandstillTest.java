package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is said of a run that does not go on by itself, and which commands help.
class StandstillTest {
    private static final String CONFIG =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";

    @TempDir
    private Path folder;

    @Test
    void aRunWhoseProcessIsGoneIsStoppedEverywhereAtOnce() throws Exception {
        ObjectNode begun = (ObjectNode) Json
                .tree(DrivenRun.start(new MemoryStore(), "r", CONFIG, 0).records().header("r").orElseThrow());
        RunHeader header = Json.read(
                begun.set("environment", Json.tree(new RunHeader.Environment("3.12 at /python3", "numpy", "none"))),
                RunHeader.class);
        Records records = new Records(new FolderStore(folder));
        records.create(header);
        assertThat(RunState.of(records, header, Instant.now()).status()).as("no process of this machine had it")
                .isEqualTo(RunStatus.RUNNING);

        Files.createFile(Path.of(records.store().address(Records.key("r", "lock"))));

        RunState state = RunState.of(records, header, Instant.now());
        assertThat(state.text("", " --store s")).contains("status     stopped, in phase1: its process is gone\n",
                "\nnext       mlestar resume r --store s");
        assertThat(Json.tree(state).path("status").asText()).isEqualTo("stopped");
        assertThat(RunTable.of(RunState.all(records, Instant.now()), ZoneOffset.UTC)).contains("stopped")
                .doesNotContain("running");
        LiveRun live = new LiveRun(records, header);
        live.refresh();
        assertThat(live.figures().stateWords()).isEqualTo("stopped");
        assertThat(live.figures().isRunning()).as("a process may take it up").isTrue();
        assertThat(new StoreSummary(records, InstantSource.system(), Duration.ZERO).sums().runs())
                .containsOnlyKeys(RunStatus.STOPPED);
    }

    @Test
    void aFailedRunNamesTheScriptThatFailedAndTheCommandsThatHelp() {
        MemoryStore store = new MemoryStore();
        World world = new World(1, 0);
        world.running(job -> job.script().kind() != RunScript.Kind.SOLUTION ? job.execution()
                : Execution.of(new EvaluationResult(Score.NONE, "", "", 1, 9, true, "ValueError: no"), false, null,
                        "ValueError: no"));
        new OneEngine(store, world, new OneEngine.MovingClock(), new Watcher() {}).runToTheEnd(CONFIG);
        RunHeader header = new Records(store).header("r").orElseThrow();
        JsonNode failed = Json.parse(store.read("runs/r/failed.json").orElseThrow());
        String step = failed.path("crash").path("step").asText();
        assertThat(step).startsWith("phase1/candidate");
        assertThat(failed.path("next")).extracting(JsonNode::asText).containsExactly("mlestar show r " + step,
                "mlestar resume r --redo phase1");

        RunState state = RunState.of(new Records(store), header, Instant.now());
        assertThat(state.error()).contains("; " + step + " ", "crashed: ValueError: no, as did ");
        assertThat(state.next()).isEqualTo(List.of("mlestar show r " + step, "mlestar resume r --redo phase1"));
    }
}

package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.core.store.WatchedStore;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// REQ-OR-050: every field of the state of a run, while it goes on and after; what is said of one
/// that does not go on by itself, and which commands help.
class PipelineStateTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 2}";
    private static final double COST_OF_AN_ANSWER = 0.01;

    private static final String SHORT =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";

    @TempDir
    private Path folder;

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
                    .isCloseTo(Duration.between(run.header().startedAt(), run.end()).toMillis() / 1000.0,
                            within(0.001));
            assertThat(state.path("agent_call_count").asInt()).isGreaterThan(calls);
            elapsed = state.path("elapsed_seconds").asDouble();
            calls = state.path("agent_call_count").asInt();
            assertThat(state.path("accumulated_cost_usd").asDouble()).isCloseTo(calls * COST_OF_AN_ANSWER,
                    within(1e-9));
        }
        assertThat(state(after(5, CONFIG)).path("current_phase").asText()).isEqualTo("phase1");
        assertThat(state(after(5, CONFIG)).path("best_score_so_far").isNull()).isTrue();
        assertThat(state(after(125, CONFIG)).path("phase2_path_statuses")).extracting(JsonNode::asText)
                .containsOnly("running");
    }

    @Test
    void aRunWhoseModelDoesNotAnswerSaysSinceWhenAndWhyItWaits() {
        MadeRun run = IntStream.range(1, 30).mapToObj(events -> after(events, CONFIG))
                .filter(made -> !state(made).path("under_way").isEmpty()).findFirst()
                .orElseThrow();
        StepPath open = StepPath.parse("r/" + state(run).path("under_way").path(0).asText());
        assertThat(state(run).path("waiting").isNull()).isTrue();
        Instant first = World.NOW.plusSeconds(60);
        for (Instant at : List.of(first, first.plusSeconds(600))) {
            int attempt = run.records().invocations().begin(open, at, "here", 0.0);
            run.records().invocations().abort(open, attempt, at, "model m did not answer: 503", 0.0);
        }
        run.records().invocations().begin(open, first.plusSeconds(700), "here", 0.0);
        RunState state = RunState.of(run.records(), run.header(), run.end());
        assertThat(state.waiting()).hasValue("since 2026-01-01T00:01:00Z: model m did not answer: 503");
        assertThat(state.text("", "")).contains("\nstatus     running, in ",
                "\nwaiting    since 2026-01-01T00:01:00Z: model m did not answer: 503");
    }

    /// Runs that ended, each in its own way; whoever asks has read the header.
    static List<Arguments> ended() {
        return List.of(arguments("well", "{}", 0, false),
                arguments("well, with a path that was cut short", "{\"outer_loop_steps\": 4, \"max_budget_usd\": 0.6}",
                        0, false),
                arguments("well, at a price that nobody knows", "{}", 0, true),
                arguments("for want of money", "{\"max_budget_usd\": 0.005}", 0, false),
                arguments("since no candidate ran", "{}", 90, true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ended")
    void theStateOfARunThatHasEndedIsReadFromTwoObjectsAndIsThatOfItsSteps(String how, String config, int faults,
            boolean unpriced) {
        OneEngine kept = new OneEngine(new World(1, faults));
        kept.store.create("kept", "id,y\n1,0\n".getBytes());
        kept.world.cost = unpriced ? null : COST_OF_AN_ANSWER;
        boolean well = kept.runToTheEnd(config) != null;
        assertThat(well).isEqualTo(how.startsWith("well"));
        isReadFromTwoObjects(kept.store, "r");
    }

    @Test
    void theBestScoreOfAFailedForkMayBeOfTheRunThatItComesFrom() {
        OneEngine kept = new OneEngine();
        kept.store.create("kept", "id,y\n1,0\n".getBytes());
        kept.runToTheEnd("{}");
        RunHeader fork = World.header("f", "{}")
                .from(new RunHeader.Origin("r", "phase2-path0", World.NOW.plusSeconds(86_400), null));
        kept.engine.start(fork);
        while (kept.records.result(StepPath.parse("f/phase1")).isEmpty()) {
            kept.engine.work(Event.stepOf(kept.events.poll().data()));
        }
        kept.engine.fail(StepPath.root("f"), "somebody said so");
        assertThat(isReadFromTwoObjects(kept.store, "f").bestScoreSoFar()).isNotNull();
    }

    private static RunState isReadFromTwoObjects(Store kept, String run) {
        RunHeader header = new Records(kept).header(run).orElseThrow();
        WatchedStore store = new WatchedStore(kept);
        Instant now = header.startedAt().plusSeconds(60);

        RunState read = RunState.of(new Records(store), header, now);

        assertThat(store.read()).containsExactly("runs/" + run + "/steps.result.json", "runs/" + run + "/tally.json");
        assertThat(store.listed()).isEmpty();
        RunState gone = RunState.of(new Records(new ForwardingStore(kept) {
            @Override
            public Optional<byte[]> read(String key) {
                return key.endsWith("tally.json") ? Optional.empty() : super.read(key);
            }
        }), header, now);
        assertThat(Json.tree(read)).isEqualTo(Json.tree(gone));
        assertThat(read.cost()).isEqualTo(gone.cost());
        return read;
    }

    @Test
    @Requirement("REQ-OR-050")
    void aPathThatWasCutShortIsNotCalledCompleted() {
        MadeRun run = after(Integer.MAX_VALUE, "{\"outer_loop_steps\": 4, \"max_budget_usd\": 0.6}");
        JsonNode path = run.records().result(StepPath.root("r").child("phase2-path0")).orElseThrow().value();
        assertThat(path.path("step_history").size()).isBetween(1, 3);
        assertThat(state(run).path("phase2_path_statuses").path(0).asText()).isEqualTo("cancelled");
    }

    @Test
    void aRunWhoseProcessIsGoneIsStoppedEverywhereAtOnce() throws Exception {
        ObjectNode begun = (ObjectNode) Json
                .tree(DrivenRun.start(new MemoryStore(), "r", SHORT, 0).records().header("r").orElseThrow());
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
        new OneEngine(store, world, new OneEngine.MovingClock(), new Watcher() {}).runToTheEnd(SHORT);
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

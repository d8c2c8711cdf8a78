package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs as the preset `strong` makes them: rows hidden in folds, races, a blend, and the choice by
/// rows of its own. The other presets run in the same world, where rows can be hidden.
class FoldedRunsTest {
    private static final int SCHEDULES = 20;
    private static final int FAULTS = 10;
    private static final String CONFIG =
            """
                    {"search": "strong", "folds": 3, "num_retrieved_models": 3, "num_parallel_solutions": 2, "attempts": 8, "studies": 1,
                     "agents_look": 0, "max_debug_attempts": 2}""";

    private static final Path STEPS = Path.of("src/test/resources/steps");

    private static World world(long seed, int faults, String digest) {
        return new FoldedWorld(digest).in(new World(seed, faults));
    }

    private static OneEngine engine(World world) {
        OneEngine one =
                new OneEngine(new MemoryStore(), world, OneEngine.MovingClock.ticking(World.NOW, 1), new Watcher() {});
        one.keepSubmission();
        return one;
    }

    @Test
    void everyScheduleWithKillsEndsAsTheDirectRunDoes() {
        int crashes = 0;
        int combined = 0;
        int lost = 0;
        int compared = 0;
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            World world = world(seed, FAULTS, "d1");
            Weather weather = new Weather(seed % 2 == 0, 86_400, 0.01, 0.01, 8, 0, 0, Duration.ZERO, 20, Instant.MAX,
                    Instant.MAX, null, false);
            SimulatedCluster cluster = new SimulatedCluster(seed, weather, CONFIG, world, 16);
            cluster.work.writes = false;
            cluster.runToTheEnd();
            // A script whose pod dies again and again has failed, which no direct run knows.
            if (Walk.OWN.steps(cluster.records(), "r")
                    .noneMatch(step -> String.valueOf(step.result()).contains("killed with its container"))) {
                compared++;
                assertThat(DirectSteps.end(cluster.records().result(StepPath.root("r")).orElseThrow()))
                        .as("seed %d", seed)
                        .isEqualTo(DirectSteps.end(World.header("r", CONFIG), world(seed, FAULTS, "d1")));
            }
            crashes += cluster.kills;
            combined += (int) Walk.OWN.steps(cluster.records(), "r")
                    .filter(step -> step.step() instanceof Arithmetic.CombineFolds).count();
            lost += (int) Walk.OWN.steps(cluster.records(), "r")
                    .filter(step -> step.done().map(done -> done.value().path("lost").isTextual()).orElse(false))
                    .count();
        }
        assertThat(compared).isGreaterThan(SCHEDULES / 2);
        assertThat(List.of(crashes, combined, lost)).as("kills, scripts on all folds, scripts that lost the race")
                .allMatch(count -> count > SCHEDULES);
    }

    private static RunHeader fork(OneEngine one, String at) {
        RunHeader other = one.records.header("r").orElseThrow();
        return World.header("f", CONFIG).from(new RunHeader.Origin("r", at, one.clock.instant(),
                RunHeader.Redo.of(ResultReuse.dependents(one.records, other, new StepPath("r", at)), false)));
    }

    private static JsonNode result(OneEngine one, String run) {
        return one.records.result(StepPath.root(run)).map(StepResult::value).orElseThrow();
    }

    @Test
    void aForkEndsAsItsRunDidAndPaysForWhatItDoesAgain() {
        OneEngine one = engine(world(1, 0, "d1"));
        one.runToTheEnd(CONFIG);
        Set<StepPath> before = Set.copyOf(one.world.paid.keySet());

        one.engine.start(fork(one, "phase2/leg0/path1-attempt2"));
        one.deliverAll();

        List<StepPath> anew = one.world.paid.keySet().stream()
                .filter(step -> !before.contains(step) && !step.top().name().equals("survey")).toList();
        assertThat(anew).isNotEmpty().noneMatch(
                step -> step.inside().startsWith("phase1") || step.inside().startsWith("phase2/leg0/path0-attempt0"));
        assertThat(one.records.result(StepPath.parse("f/phase1")).orElseThrow().sharedWith()).isEqualTo("r/phase1");
        assertThat(result(one, "f").path("best_score")).isEqualTo(result(one, "r").path("best_score"));
    }

    @Test
    void aForkWhoseDataHaveChangedSharesNoScores() {
        OneEngine one = engine(world(1, 0, "d1"));
        one.runToTheEnd(CONFIG);
        new FoldedWorld("d2").in(one.world);

        one.engine.start(fork(one, "phase2/leg0/path1-attempt2"));
        one.deliverAll();

        assertThat(Walk.OWN.steps(one.records, "f")).isNotEmpty()
                .allMatch(step -> step.result().map(StepResult::sharedWith).isEmpty());
        assertThat(Walk.OWN.steps(one.records, "f")
                .filter(step -> step.step() instanceof RunScript script && script.holdout() != null)
                .map(step -> ((RunScript) step.step()).holdout())).isNotEmpty().containsOnly("d2");
        assertThat(result(one, "f").path("chosen").path("validation").path("rows").asText()).startsWith("d2");
    }

    /// Those of `paper` are as they were before there was another search.
    @ParameterizedTest
    @EnumSource
    void aPresetAsksForItsSteps(Preset preset) throws IOException {
        OneEngine one = engine(world(1, 0, "d1"));
        JsonNode result = one.runToTheEnd(Json.text(preset.settings()));

        assertThat(result.path("phases_completed")).extracting(JsonNode::asText).contains("phase1", "phase2", "phase3",
                "finalization");
        List<String> steps = DamagedRunTest.objects(one.store, "runs").keySet().stream()
                .filter(key -> key.endsWith(".request.json")).sorted().toList();
        assertThat(steps).isEqualTo(Files.readAllLines(STEPS.resolve(preset.id() + ".txt")));
    }
}

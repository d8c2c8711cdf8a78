package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.model.ModelRequest;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A model that is away for long, in each phase of a run: the run waits, and loses no step by it.
class LongOutagesTest {
    private static final StepPath ROOT = StepPath.root("r");

    private static SimulatedCluster played(boolean cluster, Duration limit, Instant from, Instant to) {
        Weather weather =
                new Weather(cluster, (int) limit.toSeconds(), 5, 5, 4, 0, 0, Duration.ZERO, 0, from, to, null, false);
        SimulatedCluster world = new SimulatedCluster(5, weather,
                """
                        {"num_retrieved_models": 2, "outer_loop_steps": 1, "inner_loop_steps": 2, "num_parallel_solutions": 2, "ensemble_rounds": 1,
                         "time_limit_seconds": %d}"""
                        .formatted(limit.toSeconds()),
                0);
        world.work.patience = ModelRequest.LONGEST;
        world.runToTheEnd();
        return world;
    }

    private static List<JsonNode> ended(SimulatedCluster world) {
        JsonNode result = Json.parse(world.records().store().read("runs/r/result.json").orElseThrow());
        return List.of(result.path("final_solution"), result.path("best_score"), result.path("phases_completed"));
    }

    @ParameterizedTest
    @CsvSource({"false, PT10M", "true, PT10M", "false, PT2H", "true, PT2H"})
    @Requirement("REQ-OR-052")
    void itCostsTheRunNothingButTime(boolean cluster, Duration length) {
        itCostsNothingButTime(cluster, length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("long")
    void soDoesADay(boolean cluster) {
        itCostsNothingButTime(cluster, Duration.ofDays(1));
    }

    private static void itCostsNothingButTime(boolean cluster, Duration length) {
        Duration limit = length.multipliedBy(30);
        SimulatedCluster alone = played(cluster, limit, Instant.MAX, Instant.MAX);
        List<KnownStep> phases = alone.records().below(ROOT).stream().filter(step -> step.request().isPhase()).toList();
        assertThat(phases).hasSizeGreaterThan(3);
        for (KnownStep phase : phases) {
            Instant from = phase.request().askedAt().plusSeconds(3);
            SimulatedCluster world = played(cluster, limit, from, from.plus(length));
            assertThat(ended(world)).as("%s", phase.path()).isEqualTo(ended(alone));
            assertThat(Walk.READABLE.steps(world.records(), ROOT).filter(step -> step.done().isEmpty())
                    .map(KnownStep::path))
                    .as("steps that failed, %s", phase.path()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Requirement("REQ-OR-024")
    void aModelThatNeverComesBackLetsTheRunEndAtItsLimitWithWhatItHas(boolean cluster) {
        Duration limit = Duration.ofHours(3);
        SimulatedCluster alone = played(cluster, limit, Instant.MAX, Instant.MAX);
        KnownStep refined = alone.records().below(ROOT).stream().filter(step -> step.path().name().startsWith("phase2"))
                .findFirst().orElseThrow();
        SimulatedCluster world = played(cluster, limit, refined.request().askedAt().plusSeconds(30), Instant.MAX);
        assertThat(world.records().result(ROOT).orElseThrow().endedAt()).isBetween(
                World.NOW.plus(limit.multipliedBy(8).dividedBy(10)),
                World.NOW.plus(limit).plusSeconds(90));
        assertThat(world.records().store().read("runs/r/submission.csv")).isPresent();
    }
}

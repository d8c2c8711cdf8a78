package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.model.ModelRequest;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The troubles that an operator meets in a week (docs/operating/days.md): runs lose nothing by
/// them but time.
class BadDaysTest {
    private static final StepPath ROOT = StepPath.root("r");
    private static final int DAY = 86_400;
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private enum Broken {
        BUCKET, BROKER, MODEL, MODEL_OF_ONE_PROCESS;

        private SimulatedCluster cluster(Outage outage) {
            boolean model = name().startsWith("MODEL");
            SimulatedCluster cluster =
                    BadDaysTest.cluster(this != MODEL_OF_ONE_PROCESS, DAY, model ? outage : Outage.NEVER);
            if (this == BUCKET) {
                cluster.bucketOutage = outage;
            }
            if (this == BROKER) {
                breakBroker(cluster, outage);
            }
            return cluster;
        }
    }

    /// It keeps nothing on disk: what is on its way is lost, and nothing is taken until it is back.
    private static void breakBroker(SimulatedCluster cluster, Outage outage) {
        cluster.brokerOutage = outage;
        cluster.outside.after(Duration.between(cluster.time.instant(), outage.from()), () -> {
            cluster.broker.kill();
            cluster.broker = cluster.time.process();
        });
    }

    /// @param limit of the run, in seconds
    /// @param ofModel when its model is away
    private static SimulatedCluster cluster(boolean manyProcesses, int limit, Outage ofModel) {
        Weather weather = new Weather(manyProcesses, limit, 60, 60, 4, 0, 0, Duration.ZERO, 0, ofModel, null, false);
        SimulatedCluster made = new SimulatedCluster(5, weather,
                """
                        {"num_retrieved_models": 2, "outer_loop_steps": 1, "inner_loop_steps": 2, "num_parallel_solutions": 2, "ensemble_rounds": 1,
                         "time_limit_seconds": %d}"""
                        .formatted(limit),
                0);
        made.work.patience = ModelRequest.LONGEST;
        return made;
    }

    private static JsonNode solution(SimulatedCluster world) {
        return Json.parse(world.records().store().read("runs/r/result.json").orElseThrow()).path("final_solution");
    }

    @ParameterizedTest
    @CsvSource({"BUCKET, PT10M", "BROKER, PT10M", "MODEL, PT2H", "MODEL_OF_ONE_PROCESS, PT2H"})
    @Requirement("REQ-OR-052")
    void aWhileWithoutItCostsARunNothingButTimeInWhicheverPhase(Broken broken, Duration length) {
        SimulatedCluster calm = broken.cluster(Outage.NEVER);
        calm.runToTheEnd();
        List<KnownStep> phases = calm.records().below(ROOT).stream().filter(step -> step.request().isPhase()).toList();
        assertThat(phases).hasSizeGreaterThan(3);
        for (KnownStep phase : phases) {
            Instant from = phase.request().askedAt().plusSeconds(30);
            SimulatedCluster world = broken.cluster(new Outage(from, from.plus(length)));
            world.runToTheEnd();
            assertThat(solution(world)).as("%s", phase.path()).isEqualTo(solution(calm));
            assertThat(Walk.READABLE.steps(world.records(), ROOT).filter(step -> step.done().isEmpty())
                    .map(KnownStep::path)).as("steps that failed, %s", phase.path()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Requirement("REQ-OR-024")
    void aModelThatNeverComesBackLetsTheRunEndAtItsLimitWithWhatItHas(boolean manyProcesses) {
        int limit = 3 * 3_600;
        SimulatedCluster calm = cluster(manyProcesses, limit, Outage.NEVER);
        calm.runToTheEnd();
        Instant refined = calm.records().request(StepPath.parse("r/phase2-path0")).orElseThrow().askedAt();
        SimulatedCluster world = cluster(manyProcesses, limit, new Outage(refined.plusSeconds(30), Instant.MAX));
        world.runToTheEnd();
        assertThat(world.records().result(ROOT).orElseThrow().endedAt()).isBetween(
                World.NOW.plusSeconds(limit * 8L / 10), World.NOW.plusSeconds(limit + 90));
        assertThat(solution(world).isObject()).isTrue();
    }

    /// A pod that is told to stop says so: however often it happens, the script is not to blame.
    @Test
    void aScriptWhoseNodeIsDrainedBeginsAgainAndIsNotToBlame() {
        OneEngine one = new OneEngine();
        one.engine.start(World.header("r", "{\"outer_loop_steps\": 1}"));
        one.until(() -> Event.stepOf(one.events.element().data()).plainName().equals("script"));
        StepPath script = Event.stepOf(one.events.remove().data());
        int drained = 6;
        one.world.running(job -> {
            one.records.invocations().abort(script, job.begin().attempt(), one.clock.instant(), "the pod was stopped",
                    0.0);
            throw new VirtualTime.Died();
        });
        for (int i = 0; i < drained; i++) {
            assertThatThrownBy(() -> one.engine.work(script)).isInstanceOf(VirtualTime.Died.class);
            one.clock.now = one.clock.now.plus(Duration.ofMinutes(20));
            one.sweep(one.engine).run("r", PATIENCE);
        }
        assertThat(one.records.result(script)).isEmpty();
        one.world.running(World.Job::execution);
        one.deliverAll();
        assertThat(one.records.result(script))
                .hasValueSatisfying(result -> assertThat(result.status()).isEqualTo(StepResult.Status.DONE));
        assertThat(one.records.invocations().of(script)).hasSize(drained + 1);
    }

    /// All that the other cluster gets is a copy of what lies in the bucket, made in the middle of
    /// the run, and its own timer.
    @Test
    void aRunIsEndedInAnotherClusterFromACopyOfItsObjects() {
        OneEngine first = new OneEngine();
        first.engine.start(World.header("r", "{\"outer_loop_steps\": 1}"));
        first.untilAsked("r/phase2-path0");
        Store copy = new MemoryStore();
        DamagedRunTest.objects(first.store, "runs").forEach(copy::create);
        World elsewhere = new World(1, 0);
        OneEngine second = new OneEngine(copy, elsewhere, first.clock, new Watcher() {});
        second.clock.now = second.clock.now.plus(Duration.ofMinutes(1));
        second.sweep(second.engine).all(PATIENCE);
        assertThat(second.events).as("what the first had in flight may still be done there").isNotEmpty()
                .allMatch(event -> event.type().startsWith(Event.phaseType("")));
        second.deliverAll();
        second.clock.now = second.clock.now.plus(PATIENCE);
        second.sweep(second.engine).all(PATIENCE);
        second.deliverAll();
        assertThat(new Records(copy).result(ROOT))
                .hasValueSatisfying(result -> assertThat(result.status()).isEqualTo(StepResult.Status.DONE));
        assertThat(Map.copyOf(elsewhere.paid)).as("what was done is not done again").doesNotContainKeys(
                first.world.paid.keySet().stream().filter(step -> first.records.result(step).isPresent())
                        .toArray(StepPath[]::new));
    }
}

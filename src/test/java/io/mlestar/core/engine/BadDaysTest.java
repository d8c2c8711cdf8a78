package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What an operator meets in a week (docs/operating/days.md): runs lose nothing by it but time.
class BadDaysTest {
    private static final StepPath ROOT = StepPath.root("r");
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private enum Broken {
        BUCKET((cluster, outage) -> cluster.bucketOutage = outage), BROKER(BadDaysTest::breakBroker);

        private final BiConsumer<SimulatedCluster, Outage> how;

        Broken(BiConsumer<SimulatedCluster, Outage> how) {
            this.how = how;
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

    private static SimulatedCluster cluster() {
        Weather weather =
                new Weather(true, 86_400, 60, 60, 4, 0, 0, Duration.ZERO, 0, Instant.MAX, Instant.MAX, null, false);
        return new SimulatedCluster(5, weather,
                """
                        {"num_retrieved_models": 2, "outer_loop_steps": 1, "inner_loop_steps": 2, "num_parallel_solutions": 2, "ensemble_rounds": 1}""",
                0);
    }

    private static JsonNode solution(SimulatedCluster world) {
        return Json.parse(world.records().store().read("runs/r/result.json").orElseThrow()).path("final_solution");
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void tenMinutesWithoutItCostARunNothingButTimeInWhicheverPhase(Broken broken) {
        SimulatedCluster calm = cluster();
        calm.runToTheEnd();
        List<KnownStep> phases = calm.records().below(ROOT).stream().filter(step -> step.request().isPhase()).toList();
        assertThat(phases).hasSizeGreaterThan(3);
        for (KnownStep phase : phases) {
            SimulatedCluster world = cluster();
            Instant from = phase.request().askedAt().plusSeconds(30);
            broken.how.accept(world, new Outage(from, from.plus(TEN_MINUTES)));
            world.runToTheEnd();
            assertThat(solution(world)).as("%s", phase.path()).isEqualTo(solution(calm));
            assertThat(Walk.READABLE.steps(world.records(), ROOT).filter(step -> step.done().isEmpty())
                    .map(KnownStep::path))
                    .as("steps that failed, %s", phase.path()).isEmpty();
        }
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
        copy(first.store, copy, "runs");
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

    private static void copy(Store from, Store to, String folder) {
        for (String name : from.list(folder)) {
            String key = folder + "/" + name;
            if (name.endsWith("/")) {
                copy(from, to, key.substring(0, key.length() - 1));
            } else {
                to.create(key, from.read(key).orElseThrow());
            }
        }
    }
}

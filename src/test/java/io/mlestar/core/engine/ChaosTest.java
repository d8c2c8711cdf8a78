package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A cluster in memory that does its worst: events come twice, late and out of order, get lost with their broker, and the
/// process dies between any two writes. Every run must end, and end as the direct run does.
class ChaosTest {
    private static final int SCHEDULES = 100;
    private static final String CONFIG = """
            {"num_retrieved_models": 3, "outer_loop_steps": 2, "inner_loop_steps": 2, "ensemble_rounds": 2, "max_debug_attempts": 2}""";

    /// The process is gone. An error, so that nothing catches it by accident.
    private static final class Died extends Error {
        private static final long serialVersionUID = 1L;

        Died() {
            super("the process died", null, false, false);
        }
    }

    @Test
    @Requirement("REQ-OR-051")
    void everyScheduleEndsAsTheDirectRunDoes() {
        long first = System.getProperty("chaos.seed") == null ? new Random().nextInt(1_000_000) : Long.getLong("chaos.seed");
        System.out.println("chaos: seeds " + first + " to " + (first + SCHEDULES - 1) + " (-Dchaos.seed=" + first + " repeats them)");
        long steps = 0;
        long twice = 0;
        int crashes = 0;
        for (long seed = first; seed < first + SCHEDULES; seed++) {
            RunHeader header = World.header("chaos", CONFIG);
            World world = new World(seed, 15);
            Cluster cluster = new Cluster(seed, world, header);
            StepResult result = cluster.runToTheEnd();
            assertThat(Json.line(result instanceof StepResult.Done done ? done.value() : result.reason()))
                    .as("seed %d", seed).isEqualTo(direct(header, new World(seed, 15)));
            steps += world.paid.size();
            twice += world.paidTwice();
            crashes += cluster.crashes;
        }
        System.out.printf("chaos: %d schedules, %d steps, %d crashes, %d steps paid twice%n", SCHEDULES, steps, crashes, twice);
        assertThat(crashes).isGreaterThan(SCHEDULES);
        // A step is paid twice only if the process dies between paying and writing.
        assertThat(twice).isLessThanOrEqualTo(crashes);
    }

    @Test
    void deliveringEveryEventTwiceCostsNothing() {
        for (long seed = 0; seed < 20; seed++) {
            World world = new World(seed, 15);
            Cluster cluster = new Cluster(seed, world, World.header("twice", CONFIG));
            cluster.crashPerMille = 0;
            cluster.duplicatePercent = 100;
            cluster.runToTheEnd();
            assertThat(world.paidTwice()).as("seed %d", seed).isZero();
        }
    }

    private static String direct(RunHeader header, World world) {
        try {
            return Json.line(Json.parse(Json.bytes(
                    new Pipeline().run(new DirectSteps(header.brief(), world, StepPath.root(header.runId()))))));
        } catch (StepFailed e) {
            return Json.line(e.getMessage());
        }
    }

    private static final class Cluster extends ForwardingStore {
        private final List<Event> broker = new ArrayList<>();
        private final Set<String> duplicated = new HashSet<>();
        private final Random random;
        private final World world;
        private final RunHeader header;
        private final InstantSource clock = InstantSource.fixed(World.NOW);
        private Engine engine;
        private boolean announced;
        int crashPerMille = 8;
        int duplicatePercent = 20;
        int crashes;

        Cluster(long seed, World world, RunHeader header) {
            super(new MemoryStore());
            this.random = new Random(seed);
            this.world = world;
            this.header = header;
        }

        StepResult runToTheEnd() {
            Records records = new Records(this);
            boot();
            survive(() -> engine.start(header));
            for (int turn = 0; turn < 20_000; turn++) {
                Optional<StepResult> end = new Records(this).result(StepPath.root(header.runId()));
                if (end.isPresent() && announced) {
                    return end.get();
                }
                if (broker.isEmpty()) {
                    // Nothing moves any more: that is what the sweep is for.
                    survive(() -> {
                        engine.start(header);
                        new Sweep(records, this::publish, engine, clock).run(header.runId(), Duration.ZERO);
                    });
                } else {
                    deliver();
                }
            }
            throw new AssertionError("the run never ended");
        }

        private void deliver() {
            Event event = broker.remove(random.nextInt(broker.size()));
            if (random.nextInt(100) < duplicatePercent && duplicated.add(event.id())) {
                broker.add(event);
            }
            if (event.endsRun()) {
                return;
            }
            boolean survived = survive(() -> engine.work(Event.stepOf(event.data())));
            if (!survived && random.nextBoolean()) {
                broker.add(event);
            }
        }

        private boolean survive(Runnable work) {
            try {
                work.run();
                return true;
            } catch (Died e) {
                crashes++;
                boot();
                if (random.nextInt(4) == 0) {
                    broker.clear();
                }
                return false;
            }
        }

        private void boot() {
            engine = new Engine(new Records(this), this::publish, world, clock, new Watcher() {});
        }

        private void publish(Event event) {
            dieHere();
            broker.add(event);
            announced |= event.endsRun();
            dieHere();
        }

        private void dieHere() {
            if (random.nextInt(1000) < crashPerMille) {
                throw new Died();
            }
        }

        @Override
        public boolean create(String key, byte[] content) {
            dieHere();
            boolean created = super.create(key, content);
            dieHere();
            return created;
        }
    }
}

package io.mlestar.engine;

import io.mlestar.event.Event;
import io.mlestar.plan.VirtualTime;
import io.mlestar.records.Extension;
import io.mlestar.records.Extensions;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.step.StepPath;
import io.mlestar.store.MemoryStore;
import io.mlestar.task.Invalid;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/// The real engine, gate, sweep and phases in a made-up cluster (or one process) on a virtual clock: a broker with Knative's rules
/// (retries with exponential backoff, dead letters, events lost, doubled and late), processes that are killed, Jobs that wait for a node.
final class SimulatedCluster {
    private static final int RETRIES = 10;
    private static final int BACKOFF_LIMIT = 3;
    private static final int PODS = 3;
    private static final Duration TIMER = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    /// After what the broker finds that a subscriber has died.
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration LOCAL_PATIENCE = Duration.ofMinutes(1);

    /// A process with an engine of its own.
    private final class Pod {
        private final VirtualTime.SimulatedProcess process = time.process();
        private final Alarm alarm = new Alarm(time);
        private final Engine engine;

        Pod(String worker) {
            this.engine = new Engine(records, SimulatedCluster.this::publish, work.performer(worker, this::die), time, alarm);
        }

        private void die() {
            process.kill();
            throw new VirtualTime.Died();
        }
    }

    private final VirtualTime time = new VirtualTime(World.NOW);
    private final VirtualTime.SimulatedProcess outside = time.process();
    private final MemoryStore store = new MemoryStore();
    private final Records records = new Records(store);
    private final Weather weather;
    private final Random random;
    private final RunHeader header;
    private final StepPath root;
    private final Pod[] pods;
    private final Set<String> jobs = new HashSet<>();
    final SimulatedWork work;
    int kills;
    private VirtualTime.SimulatedProcess broker = time.process();

    /// @param faults of a hundred answers and scripts, how many go wrong
    SimulatedCluster(long seed, Weather weather, String config, int faults) {
        this.weather = weather;
        this.random = new Random(seed);
        this.header = World.header("r", config);
        this.root = StepPath.root("r");
        this.work = new SimulatedWork(time, weather, records, new World(seed, faults), seed);
        this.pods = new Pod[weather.cluster() ? PODS : 1];
        for (int i = 0; i < pods.length; i++) {
            pods[i] = new Pod("pod " + i);
        }
        store.create("kept", "id,y\n1,0\n".getBytes());
    }

    Records records() {
        return records;
    }

    /// Somebody gives the run more while it goes on.
    void extend(Duration after, int minutes, double usd) {
        outside.after(after, () -> new Extensions(store).add(header, new Extension(time.instant(), "ann", minutes, usd)));
    }

    RunHeader limited() {
        return new Extensions(store).onto(header);
    }

    /// Runs until the run has ended.
    ///
    /// @return how long after its deadline it ended; negative if before
    Duration runToTheEnd() {
        outside.after(Duration.ZERO, () -> pods[0].engine.start(header));
        if (weather.cluster()) {
            outside.after(TIMER, this::timer);
        } else {
            look(pods[0]);
        }
        if (!weather.killEvery().isZero()) {
            outside.after(pause(), this::kill);
        }
        time.play(() -> records.result(root).isPresent() || time.instant().isAfter(limited().deadline().plus(Duration.ofHours(2))));
        if (records.result(root).isEmpty()) {
            throw new AssertionError("the run stands still");
        }
        return Duration.between(limited().deadline(), records.result(root).orElseThrow().endedAt());
    }

    /// The cluster's timer, which the broker brings to some pod.
    private void timer() {
        publish(new Event(Event.SWEEP, "tick-" + time.instant(), "", null));
        outside.after(TIMER, this::timer);
    }

    /// What the one process of a machine does besides its events.
    private void look(Pod pod) {
        pod.process.after(pod.alarm.pause(limited()), () -> {
            new Sweep(records, this::publish, pod.engine, time).run("r", LOCAL_PATIENCE);
            look(pod);
        });
    }

    private void kill() {
        int which = random.nextInt(pods.length);
        pods[which].process.kill();
        kills++;
        if (weather.cluster()) {
            pods[which] = new Pod("pod " + which);
        } else {
            broker.kill();
            broker = time.process();
            Pod next = new Pod("pod 0");
            pods[0] = next;
            next.process.after(Duration.ofSeconds(1 + random.nextInt(5)), () -> {
                new Sweep(records, this::publish, next.engine, time).run("r", Duration.ZERO);
                look(next);
            });
        }
        outside.after(pause(), this::kill);
    }

    private Duration pause() {
        return Duration.ofMillis((long) (weather.killEvery().toMillis() * Weather.between(random, 0.2, 3)));
    }

    private void publish(Event event) {
        if (event.endsRun() || random.nextInt(1000) < weather.lost()) {
            return;
        }
        int times = random.nextInt(100) < weather.lost() ? 2 : 1;
        for (int i = 0; i < times; i++) {
            Duration late = random.nextInt(100) < weather.lost() ? Duration.ofSeconds(random.nextInt(300)) : Duration.ofMillis(1 + random.nextInt(20));
            broker.after(late, () -> deliver(event, 1));
        }
    }

    /// One delivery: in the broker's time, by the subscriber's process.
    private void deliver(Event event, int delivery) {
        if (event.type().equals(Event.SCRIPT) && weather.cluster()) {
            job(event);
            return;
        }
        Pod pod = pods[random.nextInt(pods.length)];
        // The embedded broker and the subscriber die together; a cluster's broker gets no answer from a pod that died.
        VirtualTime.SimulatedProcess process = pod.process;
        Runnable again = () -> retry(event, delivery);
        Runnable over = process.whenKilled(() -> broker.after(ANSWER, again));
        process.after(Duration.ZERO, () -> {
            Optional<Boolean> good = take(pod, event);
            over.run();
            if (!good.orElse(true)) {
                broker.after(Duration.ZERO, again);
            }
        });
    }

    private void retry(Event event, int delivery) {
        if (delivery <= RETRIES) {
            broker.after(Duration.ofMillis(200L << Math.min(delivery - 1, 12)), () -> deliver(event, delivery + 1));
        } else if (!event.type().equals(Event.SWEEP)) {
            Pod pod = pods[random.nextInt(pods.length)];
            pod.process.after(Duration.ZERO, () -> pod.engine.fail(Event.stepOf(event.data()), "it could not be done"));
        }
    }

    /// @return whether it was taken; empty if it is refused for good
    private Optional<Boolean> take(Pod pod, Event event) {
        try {
            if (event.type().equals(Event.SWEEP)) {
                new Sweep(records, this::publish, pod.engine, time).run("r", PATIENCE);
                return Optional.of(true);
            }
            StepPath step = Event.stepOf(event.data());
            while (pod.engine.isUnderWay(step)) {
                time.sleep(Duration.ofSeconds(1));
            }
            pod.engine.work(step);
            return Optional.of(true);
        } catch (Invalid e) {
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(false);
        }
    }

    /// A Job per event: waits for a node, and is started again if its pod dies.
    private void job(Event event) {
        if (jobs.add(event.id())) {
            start(event, 0);
        }
    }

    private void start(Event event, int restarts) {
        Pod pod = new Pod(event.id());
        outside.after(Duration.ZERO, () -> {
            work.slots.take(Instant.MAX);
            VirtualTime.Bell ended = time.bell();
            boolean[] taken = {false};
            pod.process.whenKilled(ended::ring);
            pod.process.after(Duration.ofSeconds(2), () -> {
                take(pod, event);
                taken[0] = true;
                ended.ring();
            });
            ended.await(Instant.MAX);
            work.slots.give();
            if (!taken[0] && restarts < BACKOFF_LIMIT) {
                start(event, restarts + 1);
            }
        });
    }
}

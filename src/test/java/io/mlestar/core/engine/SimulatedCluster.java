package io.mlestar.core.engine;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.FailingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.OtherProgram;
import io.mlestar.core.store.Store;
import io.mlestar.core.store.StoreUnavailable;
import module java.base;

/// The real engine, gate, sweep and phases in a made-up cluster (or one process) on a virtual
/// clock: a broker with Knative's rules (retries with exponential backoff, dead letters, events
/// lost, doubled and late), processes that are killed, Jobs that wait for a node. In harsh weather
/// the bucket fails now and then, and every other process is of another version.
final class SimulatedCluster {
    /// `delivery.retry` of the Triggers in `k8s/base`, with their backoff.
    private static final int RETRIES = 10;
    /// `backoffLimit` of the JobSinks in `k8s/base`.
    private static final int BACKOFF_LIMIT = 3;
    /// After it a request whose answer has not begun gets 504, while the pod works on
    /// (knative/serving 1.15 to 1.23, `pkg/http/handler/timeout.go`; the Services in `k8s/base` say
    /// as long).
    private static final Duration RESPONSE_START = Duration.ofSeconds(600);
    /// A pod is Pending until a node has room for it, and no event says so (Kubernetes 1.28 and
    /// later, `pkg/scheduler`).
    private static final int LONGEST_PENDING_SECONDS = 20 * 60;
    private static final int PODS = 3;
    private static final Duration TIMER = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    /// After what the broker finds that a subscriber has died.
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration LOCAL_PATIENCE = Duration.ofMinutes(1);

    final VirtualTime time = new VirtualTime(World.NOW);
    final VirtualTime.SimulatedProcess outside = time.process();
    private final MemoryStore store = new MemoryStore();
    private final Records records = new Records(store);
    private final Records reached;
    private final List<Records> versions;
    final Weather weather;
    final Random random;
    private final RunHeader header;
    private final StepPath root;
    private final SimulatedPod[] pods;
    private final Set<String> jobs = new HashSet<>();
    final SimulatedWork work;
    int kills;
    /// The number of moments, among a thousand just before or after a write or an event, at which
    /// the process dies.
    final int deathsPerMille;
    Outage bucketOutage = Outage.NEVER;
    Outage brokerOutage = Outage.NEVER;
    private boolean announced;
    VirtualTime.SimulatedProcess broker = time.process();

    /// @param faults of a hundred answers and scripts, how many go wrong
    SimulatedCluster(long seed, Weather weather, String config, int faults) {
        this(seed, weather, config, new World(seed, faults), 0);
    }

    SimulatedCluster(long seed, Weather weather, String config, World world, int deathsPerMille) {
        this.weather = weather;
        this.deathsPerMille = deathsPerMille;
        this.random = new Random(seed);
        this.header = weather.cluster() ? World.header("r", config) : World.here(World.header("r", config));
        this.root = StepPath.root("r");
        Store bucket = new FailingStore(store, () -> bucketOutage.refuse(time.instant()));
        this.reached = new Records(bucket);
        Store failing = new FailingStore(bucket, new Random(seed + 2));
        this.versions = List.of(new Records(failing), new Records(new OtherProgram(failing, ChecksummedJson.FORMAT)));
        this.work = new SimulatedWork(time, weather, records, world, seed);
        this.pods = new SimulatedPod[weather.cluster() ? PODS : 1];
        for (int i = 0; i < pods.length; i++) {
            pods[i] = pod("pod " + i);
        }
        store.create("kept", "id,y\n1,0\n".getBytes());
    }

    Records records() {
        return records;
    }

    /// A user steers the run.
    void meanwhile(Duration after, Consumer<Instant> saying) {
        outside.after(after, () -> saying.accept(time.instant()));
    }

    CurrentLimits limits() {
        return new Extensions(store).onto(header);
    }

    /// Runs until the run has ended.
    ///
    /// @return how long after its deadline it ended; negative if before
    Duration runToTheEnd() {
        outside.after(Duration.ZERO, this::begin);
        if (weather.cluster()) {
            outside.after(TIMER, this::timer);
        } else {
            look(pods[0]);
        }
        if (!weather.killEvery().isZero()) {
            outside.after(pause(), this::killAny);
        }
        time.play(() -> records.result(root).isPresent() && announced
                || time.instant().isAfter(limits().deadline().plus(Duration.ofHours(2))));
        if (records.result(root).isEmpty() || !announced) {
            throw new AssertionError("the run stands still");
        }
        return Duration.between(limits().deadline(), records.result(root).orElseThrow().endedAt());
    }

    private void begin() {
        try {
            pods[0].engine.start(header);
        } catch (StoreUnavailable | VirtualTime.Died e) {
            outside.after(ANSWER, this::begin);
        }
    }

    private void untilItIsTaken(Runnable work) {
        try {
            work.run();
        } catch (StoreUnavailable e) {
            outside.after(ANSWER, () -> untilItIsTaken(work));
        }
    }

    /// The cluster's timer, which the broker brings to some pod.
    private void timer() {
        if (!brokerOutage.holds(time.instant())) {
            publish(new Event(Event.SWEEP, "tick-" + time.instant(), "", null));
        }
        outside.after(TIMER, this::timer);
    }

    /// Sweeps, as the one process of a machine does besides its events.
    private void look(SimulatedPod pod) {
        pod.process.after(pod.alarm.pause(limits()), () -> {
            pod.sweep.run("r", LOCAL_PATIENCE);
            look(pod);
        });
    }

    private void killAny() {
        kill(random.nextInt(pods.length));
        outside.after(pause(), this::killAny);
    }

    /// Another pod takes its place, unless it is a Job's.
    void replace(SimulatedPod dying) {
        int which = List.of(pods).indexOf(dying);
        if (which >= 0) {
            kill(which);
        }
    }

    private void kill(int which) {
        pods[which].process.kill();
        kills++;
        if (weather.cluster()) {
            pods[which] = pod("pod " + which);
        } else {
            broker.kill();
            broker = time.process();
            SimulatedPod next = pod("pod 0");
            pods[0] = next;
            next.process.after(Duration.ofSeconds(1 + random.nextInt(5)), () -> {
                next.sweep.run("r", Duration.ZERO);
                look(next);
            });
        }
    }

    private Duration pause() {
        return Duration.ofMillis((long) (weather.killEvery().toMillis() * Weather.between(random, 0.2, 3)));
    }

    void publish(Event event) {
        brokerOutage.refuse(time.instant());
        announced |= event.endsRun();
        if (event.endsRun() || random.nextInt(1000) < weather.lost()) {
            return;
        }
        int times = random.nextInt(100) < weather.lost() ? 2 : 1;
        for (int i = 0; i < times; i++) {
            Duration late = random.nextInt(100) < weather.lost() ? Duration.ofSeconds(random.nextInt(300))
                    : Duration.ofMillis(1 + random.nextInt(20));
            broker.after(late, () -> deliver(event, 1));
        }
    }

    /// One delivery: in the broker's time, by the subscriber's process.
    private void deliver(Event event, int delivery) {
        if (event.type().equals(Event.SCRIPT) && weather.cluster()) {
            job(event);
            return;
        }
        SimulatedPod pod = pod();
        // The embedded broker and the subscriber die together; a cluster's broker gets no answer
        // from a pod that died.
        VirtualTime.SimulatedProcess process = pod.process;
        boolean[] answered = {false};
        Runnable again = () -> {
            if (!answered[0]) {
                answered[0] = true;
                retry(event, delivery);
            }
        };
        Runnable over = process.whenKilled(() -> broker.after(ANSWER, again));
        if (weather.cluster()) {
            broker.after(RESPONSE_START, again);
        }
        pod.enter();
        process.after(Duration.ZERO, () -> {
            Optional<Boolean> good = take(pod, event);
            over.run();
            pod.leave();
            if (good.orElse(true)) {
                answered[0] = true;
            } else {
                broker.after(Duration.ZERO, again);
            }
        });
    }

    private SimulatedPod pod(String worker) {
        return new SimulatedPod(this,
                weather.harsh() && weather.cluster() ? versions.get(random.nextInt(versions.size())) : reached, worker);
    }

    /// Any pod; one that was taken away while it was idle is started again.
    private SimulatedPod pod() {
        int which = random.nextInt(pods.length);
        if (weather.cluster() && pods[which].gone) {
            pods[which] = pod("pod " + which);
        }
        return pods[which];
    }

    private void retry(Event event, int delivery) {
        if (delivery <= RETRIES) {
            broker.after(Duration.ofMillis(200L << Math.min(delivery - 1, 12)), () -> deliver(event, delivery + 1));
        } else if (!event.type().equals(Event.SWEEP) && !bucketOutage.holds(time.instant())) {
            SimulatedPod pod = pod();
            pod.process.after(Duration.ZERO, () -> untilItIsTaken(
                    () -> pod.engine.undelivered(Event.stepOf(event.data()), "it could not be done")));
        }
    }

    /// @return whether it was taken; empty if it is refused for good
    private Optional<Boolean> take(SimulatedPod pod, Event event) {
        try {
            if (event.type().equals(Event.SWEEP)) {
                pod.sweep.run("r", PATIENCE);
                return Optional.of(true);
            }
            StepPath step = Event.stepOf(event.data());
            while (pod.engine.isInFlight(step)) {
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
        SimulatedPod pod = pod(event.id());
        Duration pending = weather.harsh() && random.nextInt(4) == 0
                ? Duration.ofSeconds(random.nextInt(LONGEST_PENDING_SECONDS)) : Duration.ZERO;
        outside.after(pending, () -> {
            work.slots.take(Instant.MAX);
            VirtualTime.Bell ended = time.bell();
            boolean[] taken = {false};
            pod.process.whenKilled(ended::ring);
            pod.process.after(Duration.ofSeconds(2), () -> {
                taken[0] = take(pod, event).orElse(true);
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

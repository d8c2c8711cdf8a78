package io.mlestar.core.engine;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.Store;
import module java.base;

/// A process of a [SimulatedCluster] with an engine of its own.
final class SimulatedPod {
    /// Stable window and grace period, after which a pod without a request is taken away, whatever
    /// else it does (knative/serving 1.15 to 1.23, `config/core/configmaps/autoscaler.yaml`).
    private static final Duration IDLE = Duration.ofSeconds(60 + 30);

    private final SimulatedCluster cluster;
    final VirtualTime.SimulatedProcess process;
    final SweepTimer alarm;
    final Engine engine;
    final Sweep sweep;
    /// True if it was taken away while it was idle.
    boolean gone;
    private int requests;
    private Instant idleSince;

    SimulatedPod(SimulatedCluster cluster, Records ofItsVersion, String worker) {
        this.cluster = cluster;
        this.process = cluster.time.process();
        this.alarm = new SweepTimer(cluster.time);
        this.idleSince = cluster.time.instant();
        Records records = cluster.deathsPerMille == 0 ? ofItsVersion : new Records(mortal(ofItsVersion.store()));
        this.engine = new Engine(records, this::send, cluster.work.performer(worker, this::die), cluster.time, alarm);
        this.sweep = new Sweep(records, this::send, engine, cluster.time);
    }

    void enter() {
        requests++;
    }

    void leave() {
        requests--;
        idleSince = cluster.time.instant();
        cluster.outside.after(IDLE, () -> {
            if (cluster.weather.cluster() && requests == 0 && !cluster.time.instant().isBefore(idleSince.plus(IDLE))) {
                gone = true;
                process.kill();
            }
        });
    }

    private void die() {
        process.kill();
        throw new VirtualTime.Died();
    }

    private void send(Event event) {
        mayDie();
        cluster.publish(event);
        mayDie();
    }

    /// The process may die before and after each write.
    private Store mortal(Store store) {
        return new ForwardingStore(store) {
            @Override
            public boolean create(String key, byte[] content) {
                mayDie();
                boolean created = super.create(key, content);
                mayDie();
                return created;
            }
        };
    }

    private void mayDie() {
        if (cluster.deathsPerMille > 0 && cluster.random.nextInt(1000) < cluster.deathsPerMille) {
            cluster.replace(this);
            die();
        }
    }
}

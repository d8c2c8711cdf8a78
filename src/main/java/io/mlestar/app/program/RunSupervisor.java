package io.mlestar.app.program;

import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.Sweep;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.LocalLock;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.show.telemetry.ProcessMetrics;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// Supervises the open runs of the store where this server is alone: resumes those that a kill has
/// left, and sends lost steps again. On Knative a timer's events do that.
@Singleton
public class RunSupervisor {
    private static final Logger LOG = Logger.getLogger("mle_star");

    private final Records records;
    private final Engine engine;
    private final Sweep sweep;
    private final ProcessMetrics metrics;
    private final boolean alone;
    private final boolean servesAllRuns;
    private final Duration patience;
    private final Duration interval;
    /// Runs that this process works on, and those that have ended.
    private final Set<String> ours = ConcurrentHashMap.newKeySet();
    private final Set<String> over = ConcurrentHashMap.newKeySet();
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("run-supervisor").factory());

    /// @param servesAllRuns a process that conducts a single run leaves the others alone
    RunSupervisor(
            Records records,
            Engine engine,
            Sweep sweep,
            Publisher publisher,
            ProcessMetrics metrics,
            @ConfigProperty(name = "mle_star.all.runs",
                    defaultValue = "false") boolean servesAllRuns,
            @ConfigProperty(name = "mle_star.patience", defaultValue = "PT15M") Duration patience,
            @ConfigProperty(name = "mle_star.sweep.interval",
                    defaultValue = "PT1M") Duration interval) {
        this.records = records;
        this.engine = engine;
        this.sweep = sweep;
        this.metrics = metrics;
        this.alone = publisher instanceof EmbeddedBroker;
        this.servesAllRuns = servesAllRuns;
        this.patience = patience;
        this.interval = interval;
    }

    void start(@Observes StartupEvent start) {
        if (alone && servesAllRuns) {
            Future<?> _ = timer.scheduleWithFixedDelay(this::look, 0, interval.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    void stop(@Observes ShutdownDelayInitiatedEvent stop) {
        timer.shutdownNow();
    }

    void leave(@Observes ShutdownEvent stop) {
        engine.leave();
    }

    /// Starts a run, and keeps other processes of this machine from taking it up.
    public void start(RunHeader run) {
        if (alone && servesAllRuns && LocalLock.take(records, run.runId())) {
            ours.add(run.runId());
        }
        engine.start(run);
    }

    /// Goes through all runs. A failure of one does not stop the others.
    void look() {
        try {
            for (String run : records.runs()) {
                if (!over.contains(run)) {
                    look(run);
                }
            }
        } catch (RuntimeException e) {
            LOG.warnf("the runs of the store cannot be looked after: %s", e.getMessage());
        }
    }

    private void look(String run) {
        try {
            if (records.header(run).isEmpty()) {
                return;
            }
            if (records.hasEnded(run)) {
                // Perhaps its final event was not published.
                sweep.run(run, patience);
                over.add(run);
                return;
            }
            // A run on which this server does not work keeps its lock free, for a user who takes it
            // up.
            engine.header(run);
            boolean known = ours.contains(run);
            if (!known && !LocalLock.take(records, run)) {
                once(run, "run %s is left alone: another process of this machine works on it");
                return;
            }
            if (!known) {
                LOG.infof("run %s is taken up where it stood", run);
            }
            metrics.resent(sweep.run(run, known ? patience : Duration.ZERO));
            ours.add(run);
        } catch (Invalid | DamagedRecord | NewerRecord e) {
            once(run, "run %s is left alone: " + String.valueOf(e.getMessage()).replace("%", "%%"));
        } catch (RuntimeException e) {
            LOG.warnf("run %s cannot be looked after: %s", run, e.getMessage());
        }
    }

    private void once(String run, String said) {
        if (told.add(run)) {
            LOG.warnf(said, run);
        }
    }
}

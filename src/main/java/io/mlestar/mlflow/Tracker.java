package io.mlestar.mlflow;

import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.StepRequest;
import io.mlestar.records.StepResult;
import io.mlestar.records.Watcher;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Results.FinalResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/// Keeps an MLflow tracking server up to date on the runs of this process, beside them and at leisure. Off unless `MLFLOW_TRACKING_URI`
/// names a server. What does not work is one warning, and no run's business.
public final class Tracker implements Watcher, AutoCloseable {
    private static final Logger LOG = Logger.getLogger("mle_star.mlflow");
    private static final String DEFAULT_EXPERIMENT = "mlestar";
    /// Between two looks at one run, at least.
    private static final Duration PAUSE = Duration.ofSeconds(10);
    /// A look takes at most so much of the time: a twentieth.
    private static final int RATIO = 20;
    /// How long the end of the process waits for the last that is told.
    private static final Duration LAST = Duration.ofSeconds(10);

    private final Records records;
    private final Optional<TrackingServer> server;
    private final String experiment;
    private final Duration pause;
    private final AtomicBoolean warned = new AtomicBoolean();
    /// Runs of which the server has been told, or is about to be.
    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private final Set<String> due = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("mlflow").factory());
    private volatile Duration lately = Duration.ZERO;

    /// @param environment where MLflow's own variables are read
    public Tracker(Records records, Map<String, String> environment) {
        this(records, environment, PAUSE);
    }

    Tracker(Records records, Map<String, String> environment, Duration pause) {
        this.records = records;
        this.experiment = Optional.of(environment.getOrDefault("MLFLOW_EXPERIMENT_NAME", "").strip()).filter(name -> !name.isEmpty())
                .orElse(DEFAULT_EXPERIMENT);
        this.pause = pause;
        // What is not due yet is not waited for at the end of the process.
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.server = server(environment);
    }

    private Optional<TrackingServer> server(Map<String, String> environment) {
        try {
            return TrackingServer.of(environment);
        } catch (Invalid e) {
            warn(e.getMessage() + "; nothing is told to MLflow");
            return Optional.empty();
        }
    }

    /// An evaluation, an attempt, a phase: often enough, and never in the processes that only ask a model or run a script.
    @Override
    public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        if (server.isPresent() && request.isPhase() && due.add(run.runId())) {
            Duration after = lately.multipliedBy(RATIO);
            Future<?> _ = later(run, begun.add(run.runId()) ? Duration.ZERO : after.compareTo(pause) > 0 ? after : pause);
        }
    }

    @Override
    public void published(RunHeader run, FinalResult result) {
        over(run);
    }

    @Override
    public void failed(RunHeader run, String reason) {
        over(run);
    }

    /// Waited for, a while: a function that has answered may get no more time, and the terminal still listens.
    private void over(RunHeader run) {
        if (server.isEmpty()) {
            return;
        }
        begun.remove(run.runId());
        try {
            later(run, Duration.ZERO).get(LAST.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.debugf("run %s has ended, and MLflow is still being told", run.runId());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Future<?> later(RunHeader run, Duration after) {
        try {
            return timer.schedule(() -> tell(run), after.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            warn("run " + run.runId() + " is not told to MLflow any more: the process ends");
            return CompletableFuture.completedFuture(null);
        }
    }

    private void tell(RunHeader run) {
        Instant now = Instant.now();
        due.remove(run.runId());
        try {
            new TrackedRun(server.orElseThrow(), experiment, records, run).tell(now).ifPresent(this::warn);
        } catch (IOException | RuntimeException e) {
            warn("MLflow at " + server.orElseThrow() + " is not told of run " + run.runId() + " as it should be: "
                    + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
        }
        lately = Duration.between(now, Instant.now());
    }

    private void warn(String said) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn(said);
        }
    }

    /// Tells what is due of runs that have ended, within seconds; runs that go on are told again by whoever goes on with them.
    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(LAST.toSeconds(), TimeUnit.SECONDS)) {
                timer.shutdownNow();
                warn("the last was not told to MLflow within " + LAST.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            timer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}

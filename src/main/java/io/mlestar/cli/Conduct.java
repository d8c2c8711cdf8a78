package io.mlestar.cli;

import io.mlestar.agent.Prompts;
import io.mlestar.engine.LocalLock;
import io.mlestar.engine.Records;
import io.mlestar.engine.RunHeader;
import io.mlestar.llm.Models;
import io.mlestar.llm.Probe;
import io.mlestar.run.Launch;
import io.mlestar.sandbox.Demand;
import io.mlestar.sandbox.Machine;
import io.mlestar.sandbox.Python;
import io.mlestar.step.StepPath;
import io.mlestar.task.AgentType;
import io.mlestar.task.Invalid;
import io.mlestar.task.PipelineConfig;
import io.mlestar.telemetry.Tracing;
import io.quarkus.runtime.Quarkus;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import sun.misc.Signal;

/// Conducts a run in this process, with the server and the broker beside it.
final class Conduct {
    /// As a shell says that a program was ended by a signal.
    private static final int SIGNALLED = 128;

    private Conduct() {}

    /// @throws Invalid if the interpreter of the scripts is missing
    static Launch launch() {
        Map<String, String> environment = System.getenv();
        Python.of(environment);
        return new Launch(new Models(environment), Prompts.load(environment), Machine.detect(), Version.TEXT, environment);
    }

    /// Whether the scripts of a run must be shut in.
    ///
    /// @throws Invalid if the environment says something that cannot be
    static Demand demandOf(PipelineConfig config, Map<String, String> environment) {
        return Demand.of(environment, Arrays.stream(AgentType.values()).anyMatch(agent -> !Models.isRecorded(config.modelOf(agent))));
    }

    /// In a cluster the scripts run elsewhere.
    ///
    /// @throws Invalid if scripts must be shut in and this machine cannot
    static void checkWall(PipelineConfig config, Map<String, String> environment) {
        Demand demand = demandOf(config, environment);
        if (environment.getOrDefault("K_SINK", "").isBlank() && demand == Demand.REQUIRED) {
            demand.check(Python.of(environment));
        }
    }

    /// Asks each of the run's models one tiny question, all at once. In a cluster other processes ask the models, and only they have the keys.
    ///
    /// @return what is to be said of models that do not answer just now
    /// @throws Invalid if one cannot be used as things are
    static List<String> probe(Models models, RunHeader header, Map<String, String> environment) {
        if (!environment.getOrDefault("K_SINK", "").isBlank()) {
            return List.of();
        }
        try (ExecutorService side = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Probe>> asked = Arrays.stream(AgentType.values()).map(header.config()::modelOf).distinct()
                    .map(name -> side.submit(() -> models.probe(name))).toList();
            return asked.stream().map(Conduct::said).flatMap(Optional::stream).toList();
        }
    }

    private static Optional<String> said(Future<Probe> probe) {
        try {
            return switch (probe.get()) {
                case Probe.Answered answered -> Optional.empty();
                case Probe.NotAsked recorded -> Optional.empty();
                case Probe.Busy(String said) -> Optional.of(said + "; the run begins all the same");
                case Probe.Wrong(String said) -> throw new Invalid(said);
            };
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Invalid invalid ? invalid : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a model was asked", e);
        }
    }

    /// Begins the run, or carries on where it stood; returns at once if it has ended.
    ///
    /// @throws Invalid if another process of this machine is at it, it began with other prompts, or scripts cannot be shut in as they must be
    static void toTheEnd(Records records, RunHeader header, StoreOption store) {
        if (records.result(StepPath.root(header.runId())).isPresent()) {
            return;
        }
        Map<String, String> environment = System.getenv();
        checkWall(header.config(), environment);
        // Before anything is kept: what is mended now may be another configuration.
        List<String> warnings = probe(new Models(environment), header, environment);
        if (!Logging.isJson(header.config())) {
            warnings.forEach(line -> System.err.println("warning: " + line));
        }
        if (!LocalLock.take(records, header.runId())) {
            throw new Invalid("run " + header.runId() + " is being worked on by another process");
        }
        records.create(header);
        records.checkPrompts(header, Prompts.load(System.getenv()).digest());
        Tracing.check(System.getenv());
        System.setProperty("quarkus.http.port", "0");
        System.setProperty("quarkus.http.host", "127.0.0.1");
        System.setProperty("mle.star.store", store.address);
        Logging.configure(header.config(), Logging.isQuiet(header.config()));
        sayHowToGoOn(header.runId(), store.address);
        AtomicReference<Throwable> failed = new AtomicReference<>();
        Quarkus.run(LocalRun.class, (code, failure) -> failed.set(failure), header.runId());
        switch (failed.get()) {
            case null -> { }
            case RuntimeException wrong -> throw wrong;
            case Throwable wrong -> throw new IllegalStateException("the server could not be started", wrong);
        }
    }

    /// Whoever interrupts a run is told how to go on with it. The process ends at once, as in a power cut: the store is whole at every
    /// moment, scripts die with their runner, and whatever would still be said while the server is taken down is of no use to anybody.
    private static void sayHowToGoOn(String run, String store) {
        String line = "interrupted; what is done is kept. Go on with: mlestar resume " + run + " --store " + store;
        for (String name : List.of("INT", "TERM")) {
            Signal.handle(new Signal(name), signal -> {
                synchronized (System.err) {
                    Progress.last(System.err, line);
                    Runtime.getRuntime().halt(SIGNALLED + signal.getNumber());
                }
            });
        }
    }
}

package io.mlestar.cli;

import io.mlestar.agent.Prompts;
import io.mlestar.function.Tracing;
import io.mlestar.llm.Models;
import io.mlestar.run.Launch;
import io.mlestar.run.LocalLock;
import io.mlestar.run.Records;
import io.mlestar.run.RunHeader;
import io.mlestar.sandbox.Machine;
import io.mlestar.sandbox.Python;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.quarkus.runtime.Quarkus;
import java.util.List;
import java.util.Map;
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

    /// Begins the run, or carries on where it stood; returns at once if it has ended.
    ///
    /// @throws Invalid if another process of this machine is at it, or it began with other prompts
    static void toTheEnd(Records records, RunHeader header, StoreOption store) {
        if (records.result(StepPath.root(header.runId())).isPresent()) {
            return;
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
                Progress.last(System.err, line);
                Runtime.getRuntime().halt(SIGNALLED + signal.getNumber());
            });
        }
    }
}

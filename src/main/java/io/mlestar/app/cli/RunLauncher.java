package io.mlestar.app.cli;

import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.model.Probe;
import io.mlestar.app.console.Logging;
import io.mlestar.app.local.Display;
import io.mlestar.app.local.Progress;
import io.mlestar.app.local.RunApplication;
import io.mlestar.app.local.RunSummary;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.LocalLock;
import io.mlestar.app.program.Server;
import io.mlestar.app.start.Launch;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.task.AgentType;
import io.mlestar.show.telemetry.Tracing;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import sun.misc.Signal;

/// Conducts a run in this process, with the server and the broker beside it.
final class RunLauncher {
    /// As a shell says that a program was ended by a signal.
    private static final int SIGNALLED = 128;

    private RunLauncher() {}

    /// @throws Invalid if the interpreter of the scripts is missing
    static Launch launch(CompositionRoot root) {
        root.python();
        return root.launch(root.models(), root.prompts(), root.machine());
    }

    /// Asks each of the run's models one tiny question, all at once. In a cluster other processes ask the models, and only they have the keys.
    ///
    /// @return what is to be said of models that do not answer just now
    /// @throws Invalid if one cannot be used as things are
    static List<String> probe(CompositionRoot root, RunHeader header) {
        if (root.hasBroker()) {
            return List.of();
        }
        Models models = root.models();
        return Arrays.stream(AgentType.values()).map(header.config()::modelOf).distinct()
                .gather(Gatherers.mapConcurrent(AgentType.values().length, models::probe)).flatMap(probe -> switch (probe) {
                    case Probe.Answered answered -> Stream.empty();
                    case Probe.NotAsked recorded -> Stream.empty();
                    case Probe.Busy(String said) -> Stream.of(said + "; the run begins all the same");
                    case Probe.Wrong(String said) -> throw new Invalid(said);
                }).toList();
    }

    /// Conducts a run to its end and says how it ended.
    ///
    /// @return the exit code
    static int run(CompositionRoot root, Records records, RunHeader header, StoreOption store, OutputOptions output) {
        toTheEnd(root, records, header, store, output);
        return new RunSummary(records, header.runId(), store.words()).print(output.json);
    }

    /// Begins the run, or carries on where it stood; returns at once if it has ended.
    ///
    /// @throws Invalid if another process of this machine is at it, it began with other prompts, scripts cannot be shut in as they must
    ///         be, or a new run could ask for nothing today
    static void toTheEnd(CompositionRoot root, Records records, RunHeader header, StoreOption store, OutputOptions output) {
        if (records.hasEnded(header.runId())) {
            return;
        }
        root.check(header.config());
        Tracing.check(root.environment());
        if (records.header(header.runId()).isEmpty()) {
            DailyBudget.check(root.environment(), records.store(), Instant.now());
        }
        // Before anything is kept: what is mended now may be another configuration.
        List<String> warnings = probe(root, header);
        if (!output.quiet && !Logging.isJson(header.config())) {
            warnings.forEach(line -> System.err.println("warning: " + line));
        }
        if (!LocalLock.take(records, header.runId())) {
            throw new Invalid("run " + header.runId() + " is being worked on by another process");
        }
        records.create(header);
        records.checkPrompts(header, root.prompts().digest());
        Map<String, String> settings = Logging.settings(header.config(), Logging.isQuiet(header.config()));
        settings.putAll(Map.of(Server.PORT, "0", Server.HOST, "127.0.0.1", Server.STORE, store.address));
        Display display = Display.of(output.quiet, root.environment());
        settings.put(Display.SETTING, display.name());
        sayHowToGoOn(header.runId(), store.address, display);
        switch (Server.run(settings, RunApplication.class, header.runId()).orElse(null)) {
            case null -> {}
            case RuntimeException wrong -> throw wrong;
            case Throwable wrong -> throw new IllegalStateException("the server could not be started", wrong);
        }
    }

    /// Whoever interrupts a run is told how to go on with it. The process ends at once, as in a power cut: the store is whole at every
    /// moment, scripts die with their runner, and whatever would still be said while the server is taken down is of no use to anybody.
    private static void sayHowToGoOn(String run, String store, Display display) {
        String line = "interrupted; what is done is kept. Go on with: mlestar resume " + run + " --store " + store;
        for (String name : List.of("INT", "TERM")) {
            Signal.handle(new Signal(name), signal -> {
                synchronized (System.err) {
                    Progress.last(System.err, line, display);
                    Runtime.getRuntime().halt(SIGNALLED + signal.getNumber());
                }
            });
        }
    }
}

package io.mlestar.app.cli.local;

import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.model.Probe;
import io.mlestar.app.console.LogSettings;
import io.mlestar.app.console.Logging;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.Server;
import io.mlestar.app.program.StartupCheck;
import io.mlestar.app.start.Caller;
import io.mlestar.app.start.Launch;
import io.mlestar.app.start.RunRequest;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.LocalLock;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.core.task.AgentType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import sun.misc.Signal;

/// A run that this process conducts, with the server and the broker beside it.
///
/// @param store address of the store that keeps it
/// @param log of this process
/// @param quiet whether the user wants to see the result only
public record LocalRun(
        CompositionRoot root,
        Records records,
        RunHeader header,
        String store,
        LogSettings log,
        boolean quiet) {
    /// Added to a signal's number, this is the exit code of a program that the signal ended, as in
    /// a shell.
    private static final int SIGNALLED = 128;

    /// Prepares a run that the user of the command line asks for.
    ///
    /// @throws Invalid if the interpreter of the scripts is missing, or as [Launch#prepare]
    public static RunHeader prepare(CompositionRoot root, Records records, RunRequest request) {
        root.python();
        Launch launch = root.launch(root.models(), root.prompts(), root.machine());
        return launch.prepare(records, request, new Caller.CommandLine(), Instant.now());
    }

    /// Begins the run, or carries on where it stood; returns at once if it has ended.
    ///
    /// @throws Invalid if another process of this machine works on it, it began with other prompts,
    ///   or scripts cannot be shut in as they must be
    public void toTheEnd() {
        String run = header.runId();
        if (records.hasEnded(run)) {
            return;
        }
        new StartupCheck(root).check(header.config());
        // The model is tried before anything is stored: the user may have to mend the
        // configuration.
        List<String> warnings = probe();
        if (!quiet && !Logging.isJson(log)) {
            warnings.forEach(line -> System.err.println("warning: " + line));
        }
        if (!LocalLock.take(records, run)) {
            throw new Invalid("run " + run + " is being worked on by another process");
        }
        try {
            boolean isNew = records.create(header);
            if (isNew) {
                warnOfStore(records, header).filter(_ -> !quiet && !Logging.isJson(log))
                        .ifPresent(line -> System.err.println(Display.WARNING + line));
            }
        } catch (StoreUnavailable e) {
            throw store.contains("://")
                    ? e
                    : new Invalid("the store " + store + " cannot be used: " + e.getMessage());
        }
        checkPrompts(run);
        Display display = Display.of(quiet, root.environment());
        Map<String, String> settings = Logging.settings(log, Logging.isQuiet(log));
        settings.putAll(Map.of(Server.PORT, "0", Server.HOST, "127.0.0.1", Server.STORE, store,
                Server.RUN, run, Display.SETTING, display.name()));
        sayHowToGoOn(display);
        Server.run(settings, RunApplication.class, run).ifPresent(wrong -> {
            throw wrong instanceof RuntimeException known
                    ? known
                    : new IllegalStateException("the server could not be started", wrong);
        });
    }

    /// A second look at the one promise of a store that some servers break.
    ///
    /// @param begun that the store has
    static Optional<String> warnOfStore(Records records, RunHeader begun) {
        return records.create(begun)
                ? Optional.of(
                        "the store ignores conditional writes, so two processes on one run would pay twice: use a server that "
                                + "honours If-None-Match: *; mlestar doctor tries it")
                : Optional.empty();
    }

    /// Here all agents are asked by this one process, so it need not begin with prompts that will
    /// make the run stand still.
    private void checkPrompts(String run) {
        RunMarks marks = records.marks(run);
        for (AgentType agent : AgentType.values()) {
            if (marks.isPrompted(agent)) {
                records.promptChange(run, marks, agent, root.prompts().digest(agent))
                        .ifPresent(reason -> {
                            throw new Invalid(reason);
                        });
            }
        }
    }

    /// Prints how the run ended.
    ///
    /// @param option for other commands to find the same store; empty if they need none
    /// @return the exit code
    public int print(String option, boolean json) {
        return new RunSummary(records, header.runId(), option).print(json);
    }

    /// Asks each of the run's models one tiny question, all at once. In a cluster other processes
    /// ask the models, and only they have the keys.
    ///
    /// @return a line for each model that does not answer just now
    /// @throws Invalid if one cannot be used as things are
    List<String> probe() {
        if (root.hasBroker()) {
            return List.of();
        }
        Models models = root.models();
        return header.config()
                .models()
                .used()
                .stream()
                .gather(Gatherers.mapConcurrent(AgentType.values().length, models::probe))
                .flatMap(probe -> switch (probe) {
                    case Probe.Answered answered -> Stream.empty();
                    case Probe.NotAsked recorded -> Stream.empty();
                    case Probe.Busy(String said) ->
                        Stream.of(said + "; the run begins all the same");
                    case Probe.Wrong(String said) -> throw new Invalid(said);
                })
                .toList();
    }

    /// Tells a user who interrupts the run how to go on with it. The process ends at once, as in a
    /// power cut: the store is whole at every moment, scripts die with their runner, and the
    /// messages of a server that shuts down would only hide the line.
    private void sayHowToGoOn(Display display) {
        String line =
                "interrupted; what is done is kept. Go on with: mlestar resume " + header.runId()
                        + " --store " + store;
        for (String name : List.of("INT", "TERM")) {
            Signal.handle(new Signal(name), signal -> {
                synchronized (System.err) {
                    display.print(System.err, line);
                    Runtime.getRuntime().halt(SIGNALLED + signal.getNumber());
                }
            });
        }
    }
}

package io.mlestar.app.cli.local;

import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.app.console.Logging;
import io.mlestar.app.console.Warnings;
import io.mlestar.core.base.BestEffort;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.Sweep;
import io.mlestar.core.engine.SweepTimer;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.StoreUnavailable;
import io.quarkus.runtime.QuarkusApplication;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// The server of one run, with all functions and the broker: starts the run and waits for its end.
public class RunApplication implements QuarkusApplication {
    private static final Logger LOG = Logger.getLogger("mle_star");
    /// A step that this process has not begun a minute after its request was lost.
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /// The interval at which it checks whether another process has ended the run.
    private static final Duration GLANCE = Duration.ofSeconds(2);
    /// Time after its deadline and its finalization until a run whose end cannot be stored is left
    /// as it stands.
    private static final Duration PATIENCE_AT_THE_END = Duration.ofSeconds(15);

    private final Engine engine;
    private final Sweep sweep;
    private final Records records;
    private final Publisher publisher;
    private final Watchers watchers;
    private final InstantSource clock;
    private final ToolSessions toolSessions;
    private final Display display;
    private final String store;

    RunApplication(
            Engine engine,
            Sweep sweep,
            Records records,
            Publisher publisher,
            Watchers watchers,
            InstantSource clock,
            ToolSessions toolSessions,
            @ConfigProperty(name = Display.SETTING, defaultValue = "LINES") Display display,
            @ConfigProperty(name = "mle_star.store",
                    defaultValue = FolderStore.USUAL) String store) {
        this.engine = engine;
        this.sweep = sweep;
        this.records = records;
        this.publisher = publisher;
        this.watchers = watchers;
        this.clock = clock;
        this.toolSessions = toolSessions;
        this.display = display;
        this.store = store;
    }

    @Override
    public int run(String... args) throws InterruptedException {
        RunHeader header = records.header(args[0]).orElseThrow();
        CountDownLatch ended = new CountDownLatch(1);
        if (publisher instanceof EmbeddedBroker broker) {
            broker.listen(event -> {
                if (event.endsRun()) {
                    ended.countDown();
                }
            });
        }
        // JSON lines stand alone.
        PrintStream out = display == Display.NOTHING || Logging.isJson(Logging.ofServer())
                ? new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)
                : System.err;
        SweepTimer timer = new SweepTimer(clock);
        Optional<Progress> progress =
                new BestEffort(line -> out.println(Display.WARNING + line), false).get(
                        "the progress of the run cannot be shown",
                        () -> new Progress(records, header, out, display));
        try (Warnings warnings = new Warnings(line -> tell(progress, shown -> shown.say(line)))) {
            if (Logging.isQuiet(Logging.ofServer())) {
                warnings.listen();
                warnOfWeakSandbox(warnings);
            }
            progress.ifPresent(watchers::add);
            watchers.add(timer);
            // No step of this run is in flight anywhere, so each open one was lost with an earlier
            // process.
            if (records.request(header.root()).isEmpty()) {
                engine.start(header);
            } else {
                tell(progress, shown -> shown.tell("resumed: the run goes on where it stood"));
                sweep.run(header.runId(), Duration.ZERO);
            }
            CurrentLimits limits = CurrentLimits.of(header);
            Instant due = clock.instant().plus(timer.pause(limits));
            boolean endedElsewhere = false;
            while (!ended.await(toNextGlance(due).toMillis(), TimeUnit.MILLISECONDS)
                    && !endedElsewhere) {
                endedElsewhere = hasEnded(header);
                if (!clock.instant().isBefore(due)) {
                    CurrentLimits now = sweep(header, limits);
                    limits = now;
                    tell(progress, shown -> shown.limits(now));
                    due = clock.instant().plus(timer.pause(limits));
                }
            }
        } finally {
            tell(progress, Progress::close);
        }
        return 0;
    }

    private static void tell(Optional<Progress> progress, Consumer<Progress> line) {
        progress.ifPresent(
                shown -> BestEffort.LOGGED.run("Progress failed", () -> line.accept(shown)));
    }

    private Duration toNextGlance(Instant due) {
        Duration left = Duration.between(clock.instant(), due);
        return left.compareTo(GLANCE) < 0 ? left : GLANCE;
    }

    /// False while the store is out of reach.
    private boolean hasEnded(RunHeader header) {
        try {
            return records.marks(header.runId()).hasEnded();
        } catch (StoreUnavailable e) {
            return false;
        }
    }

    /// Sends lost steps again. A run outlives a store that is out of reach or full for a while, but
    /// neither its time limit nor its own removal from the store.
    ///
    /// @param known the limits that it had
    /// @return those that it has now; the same while the store is out of reach
    /// @throws StoreUnavailable if the run was removed, or is past its time limit and its end
    ///   cannot be stored
    private CurrentLimits sweep(RunHeader header, CurrentLimits known) {
        boolean kept = true;
        CurrentLimits limits = known;
        try {
            kept = records.isKept(header.runId());
            if (kept) {
                sweep.run(header.runId(), PATIENCE);
                limits = new Extensions(records.store()).onto(header);
            }
        } catch (StoreUnavailable e) {
            LOG.warnf("the store is out of reach, the run waits for it: %s", e.getMessage());
        }
        boolean isLate = clock.instant()
                .isAfter(limits.deadline().plus(CurrentLimits.GRACE).plus(PATIENCE_AT_THE_END));
        if (isLate && records.refusal().isPresent()) {
            throw new StoreUnavailable(
                    "run " + header.runId()
                            + " is past its time limit, and the store does not take its end: "
                            + records.refusal().get()
                            + ". What is done is kept; when the store can be written, end it with: mlestar resume "
                            + header.runId()
                            + " --store " + store);
        }
        if (!kept) {
            throw new StoreUnavailable(
                    "run " + header.runId()
                            + " ends here, since it was removed from the store while it went on: "
                            + records.store().address(Records.key(header.runId(), Records.HEADER))
                            + " is gone");
        }
        return limits;
    }

    /// Repeats a warning that the log may have written before the console listened.
    private void warnOfWeakSandbox(Warnings warnings) {
        String missing =
                publisher instanceof EmbeddedBroker ? toolSessions.sandbox().get().missing() : "";
        if (!missing.isEmpty()) {
            warnings.say(missing);
        }
    }
}

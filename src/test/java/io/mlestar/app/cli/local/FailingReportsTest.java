package io.mlestar.app.cli.local;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.Program;
import io.mlestar.app.cli.Typed;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.show.log.Ear;
import module java.base;
import java.lang.reflect.Proxy;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever reports on a run may fail in any way: the run goes on to its end, its result is
/// printed, and its exit code is that of the run. A store that is full ends it in time.
class FailingReportsTest {
    /// The records that say how a run ended; without them there is nothing to print.
    private static final Set<String> ENDING = Set.of("runs/r/result.json", "runs/r/steps.result.json");

    /// Something goes wrong that no method declares.
    private interface Failure {
        void happen();

        default <T> T instead() {
            happen();
            throw new AssertionError("it did not");
        }
    }

    static Stream<Failure> failures() {
        return Stream.of(() -> {
            throw new NullPointerException();
        }, () -> {
            throw new IllegalStateException("first line\nsecond line");
        }, () -> {
            throw new StackOverflowError();
        }, () -> {
            throw new NoClassDefFoundError("io/mlestar/Gone");
        });
    }

    private static OneEngine ended(Watcher watcher) {
        OneEngine one = new OneEngine(new MemoryStore(), new World(1, 0),
                OneEngine.MovingClock.ticking(World.NOW, 10_000), watcher);
        one.keepSubmission();
        assertThat(one.runToTheEnd(Program.SHORT).path("submission_path").asText()).isNotEmpty();
        return one;
    }

    private static Typed printed(Records records, boolean json) {
        return Typed.doing(stream -> stream, () -> new RunSummary(records, "r", "").print(json));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theReportAndTheLastLinesChangeNeitherResultNorExitCode(Failure failure) {
        Records broken = new Records(new ForwardingStore(ended(new Watcher() {}).store) {
            @Override
            public Optional<byte[]> read(String key) {
                return ENDING.contains(key) ? super.read(key) : failure.instead();
            }

            @Override
            public List<String> list(String folder) {
                return failure.instead();
            }

            @Override
            public boolean create(String key, byte[] content) {
                return failure.instead();
            }
        });
        Typed printed = printed(broken, false);
        assertThat(printed.wellEnded()).contains("score      ", "submission ", "folder     ",
                "next       mlestar show r");
        assertThat(printed.err().lines()).hasSizeGreaterThan(1)
                .allMatch(line -> line.startsWith("warning: "))
                .anyMatch(line -> line.contains("try again with: mlestar report r"));
        assertThat(printed(broken, true).wellEnded()).startsWith("{").contains("\"best_score\"");
    }

    @ParameterizedTest
    @MethodSource("failures")
    void noWatcherEndsARun(Failure failure) {
        AtomicInteger told = new AtomicInteger();
        OneEngine one = ended(new Watchers((Watcher) Proxy.newProxyInstance(Watcher.class.getClassLoader(),
                new Class<?>[] {Watcher.class}, (_, _, _) -> {
                    told.incrementAndGet();
                    return failure.instead();
                })));
        assertThat(told).hasValueGreaterThan(20);
        assertThat(printed(one.records, false).exitCode()).isZero();
    }

    private static RunApplication application(OneEngine one, Display display) {
        return new RunApplication(one.engine, one.sweep(one.engine), one.records, one::take, new Watchers(), one.clock,
                null, display, "s");
    }

    private static int exitCode(RunApplication run) {
        try {
            return run.run("r");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// The terminal fails after so many lines.
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void noProgressLineEndsARun(int lines) {
        OneEngine one = ended(new Watcher() {});
        AtomicInteger left = new AtomicInteger(lines);
        PrintStream failing = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                write(line);
            }

            @Override
            public PrintStream printf(Locale locale, String format, Object... values) {
                write(format);
                return this;
            }

            private void write(String line) {
                if (left.getAndDecrement() <= 0) {
                    throw new IllegalStateException(line);
                }
            }
        };
        assertThat(Typed.doing(_ -> failing, () -> exitCode(application(one, Display.LINES))).exitCode()).isZero();
        assertThat(left).hasNegativeValue();
        assertThat(printed(one.records, false).exitCode()).isZero();
    }

    @Test
    @Timeout(60)
    void aRunSaysThatTheStoreIsFullAndEndsAtItsTimeLimit() {
        AtomicBoolean isFull = new AtomicBoolean();
        OneEngine one = new OneEngine(new ForwardingStore(new MemoryStore()) {
            @Override
            public boolean create(String key, byte[] content) {
                if (isFull.get()) {
                    throw new StoreUnavailable("cannot write " + key + ": No space left on device");
                }
                return super.create(key, content);
            }
        }, new World(1, 0), OneEngine.MovingClock.ticking(World.NOW, 60_000), new Watcher() {});
        RunHeader header = World.header("r", "{\"time_limit_seconds\": 36000}");
        one.engine.start(header);
        one.untilAsked("r/phase1/retriever");
        isFull.set(true);
        List<LogRecord> logged = Collections.synchronizedList(new ArrayList<>());
        try (Ear _ = new Ear("mle_star", logged::add)) {
            refusal(StoreUnavailable.class, () -> application(one, Display.NOTHING).run("r"))
                    .contains("past its time limit", "No space left on device", "mlestar resume r --store s");
        }
        assertThat(Duration.between(header.deadline(), one.clock.now)).isBetween(Duration.ofSeconds(15),
                Duration.ofMinutes(10));
        assertThat(logged).filteredOn(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
                .extracting(LogRecord::getMessage).filteredOn(line -> line.contains("the store cannot be written"))
                .singleElement().asString().contains("No space left");
    }
}

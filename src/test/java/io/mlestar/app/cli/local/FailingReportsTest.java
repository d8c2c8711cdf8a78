package io.mlestar.app.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.Results.FinalResult;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever reports on a run may fail in any way: the run goes on to its end, its result is
/// printed, and its exit code is that of the run.
class FailingReportsTest {
    private static final String CONFIG =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";
    /// What says how a run ended; without it there is nothing to print.
    private static final Set<String> ENDING = Set.of("runs/r/result.json", "runs/r/steps.result.json");

    private final PrintStream stdout = System.out;
    private final PrintStream stderr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

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
        assertThat(one.runToTheEnd(CONFIG).path("submission_path").asText()).isNotEmpty();
        return one;
    }

    private int printed(Records records, boolean json) {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        return new RunSummary(records, "r", "").print(json);
    }

    @AfterEach
    void release() {
        System.setOut(stdout);
        System.setErr(stderr);
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
        assertThat(printed(broken, false)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("score      ", "submission ", "folder     ",
                "next       mlestar show r");
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSizeGreaterThan(1)
                .allMatch(line -> line.startsWith("warning: "))
                .anyMatch(line -> line.contains("try again with: mlestar report r"));
        out.reset();
        assertThat(printed(broken, true)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("{").contains("\"best_score\"");
    }

    @ParameterizedTest
    @MethodSource("failures")
    void noWatcherEndsARun(Failure failure) {
        AtomicInteger told = new AtomicInteger();
        OneEngine one = ended(new Watchers(new Watcher() {
            private void fail() {
                told.incrementAndGet();
                failure.happen();
            }

            @Override
            public void asked(RunHeader run, StepPath step, StepRequest request) {
                fail();
            }

            @Override
            public void started(RunHeader run, StepPath step, StepRequest request) {
                fail();
            }

            @Override
            public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
                fail();
            }

            @Override
            public void published(RunHeader run, FinalResult result) {
                fail();
            }
        }));
        assertThat(told).hasValueGreaterThan(20);
        assertThat(printed(one.records, false)).isZero();
    }

    /// The terminal fails after so many lines.
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void noProgressLineEndsARun(int lines) throws InterruptedException {
        OneEngine one = ended(new Watcher() {});
        AtomicInteger left = new AtomicInteger(lines);
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
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
        });
        assertThat(new RunApplication(one.engine, one.sweep(one.engine), one.records, one::take, new Watchers(),
                one.clock, null, Display.LINES, "s").run("r"))
                .isZero();
        assertThat(left).hasNegativeValue();
        assertThat(printed(one.records, false)).isZero();
    }
}

package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.ProjectFiles;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.script.Sandbox.Raw;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Window;
import module java.base;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The remains of a script when its time is over, or when it ends before its children: none. The
/// time of the scripts that run into their timeouts is over as soon as all that they start has
/// begun.
@Timeout(300)
class TimeoutTest {
    private static final String ISOLATIONS = "io.mlestar.adapter.script.Sandboxes#isolations";
    /// Grace for scripts that do not use it.
    private static final Duration BRIEF = Duration.ofMillis(200);
    private static final List<String> FAMILY =
            List.of("script", "child", "deaf child", "grandchild", "child with a session", "daemon");
    /// Starts a child of each kind. All hold the output open and live for ten minutes if nobody
    /// ends them.
    private static final String BEGETS = ProjectFiles.text(Path.of("src/test/resources/walls/family.py"));
    private static final String LIVES_ON = BEGETS + "be_deaf()\nlive('script')\n";
    private static final String SLEEPS = "import time\nprint('hello')\ntime.sleep(600)\n";
    private static final String IS_POLITE = ProjectFiles.text(Path.of("src/test/resources/walls/polite.py"));

    @TempDir
    private static Path folder;

    private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
    private static final Map<Isolation, Future<TimedOut>> FAMILIES = new EnumMap<>(Isolation.class);
    private static final Map<Isolation, Future<Raw>> POLITE = new EnumMap<>(Isolation.class);
    private static final Map<Isolation, String> NAMES = new EnumMap<>(Isolation.class);

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final AtomicInteger contenders = new AtomicInteger(1);

    @BeforeAll
    static void begin() {
        Sandboxes.isolations().forEach(isolation -> {
            NAMES.put(isolation, Sandboxes.uniqueName());
            FAMILIES.put(isolation,
                    THREADS.submit(() -> timedOut(Sandboxes.of(isolation, BRIEF), LIVES_ON, NAMES.get(isolation),
                            FAMILY.size())));
            POLITE.put(isolation,
                    THREADS.submit(() -> timedOut(Sandboxes.of(isolation), IS_POLITE, "solution.py", 1).raw()));
        });
    }

    @AfterAll
    static void end() {
        THREADS.close();
    }

    /// @param allowed what it had, in seconds
    private record TimedOut(Raw raw, double allowed) {}

    /// @param lines after which its time is over
    private static TimedOut timedOut(Sandbox sandbox, String program, String name, int lines)
            throws IOException, InterruptedException {
        Workspace workspace = Sandboxes.workspace(folder);
        Files.writeString(workspace.folder().resolve(name), program);
        AtomicReference<IntFunction<String>> output = new AtomicReference<>(most -> "");
        AtomicReference<Duration> allowed = new AtomicReference<>(Sandboxes.AMPLE);
        long begin = System.nanoTime();
        Raw raw = sandbox.run(Sandboxes.job(sandbox, workspace, name, () -> {
            if (output.get().apply(1000).lines().count() == lines) {
                allowed.compareAndSet(Sandboxes.AMPLE, Duration.ofNanos(System.nanoTime() - begin));
            }
            return allowed.get();
        }, Sandboxes.following(output::set, () -> {})));
        return new TimedOut(raw, allowed.get().toNanos() / 1e9);
    }

    private static void assertNobodyLives(String name) {
        Waiting.patiently("nobody lives on").untilAsserted(() -> assertThat(Sandboxes.alive(name)).isEmpty());
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement({"REQ-EX-008", "REQ-EX-009", "REQ-EX-037"})
    void aScriptThatTakesTooLongIsEndedAndNobodyOfItsFamilyLivesOn(Isolation isolation) throws Exception {
        TimedOut ended = FAMILIES.get(isolation).get();
        Raw raw = ended.raw();
        assertThat(raw.timedOut()).isTrue();
        assertThat(raw.exitCode()).isEqualTo(-1);
        assertThat(raw.durationSeconds()).isGreaterThanOrEqualTo(ended.allowed());
        assertThat(raw.stdout().lines()).as("all were there").containsExactlyInAnyOrderElementsOf(
                FAMILY.stream().map(name -> "born: " + name).toList());
        assertNobodyLives(NAMES.get(isolation));
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement("REQ-EX-009")
    void aScriptThatIsStoppedSaysWhereItWas(Isolation isolation) throws Exception {
        Raw raw = timedOut(Sandboxes.of(isolation), SLEEPS, "solution.py", 1).raw();
        assertThat(raw.stderr()).contains("File \"./solution.py\", line 3 in <module>");
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement("REQ-EX-009")
    void itIsAskedBeforeItIsKilledAndItsLastWordsAreKept(Isolation isolation) throws Exception {
        Raw raw = POLITE.get(isolation).get();
        assertThat(raw.timedOut()).isTrue();
        assertThat(raw.exitCode()).isEqualTo(-1);
        assertThat(raw.stdout()).isEqualTo("hello\ngoodbye\n");
    }

    @Test
    @Requirement({"REQ-EX-009", "REQ-EX-015", "REQ-EX-046"})
    void theTimeoutThatIsGivenHolds() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path scratch = folder.resolve("scratch");
        ScriptRunner runner =
                new ScriptRunner(Sandboxes.of(Isolation.strongest(Sandboxes.PYTHON)), InstantSource.system(), scratch);
        RunScript script =
                new RunScript(SLEEPS, RunScript.Kind.SOLUTION, 86_400);
        int seconds = 2;
        Execution.Failed execution = stopped(runner, script, data, seconds);
        // A machine may be so busy that the time is over before the script begins: then there is
        // more of it.
        while (execution.evaluation().stdout().isEmpty()) {
            seconds *= 2;
            execution = stopped(runner, script, data, seconds);
        }
        assertThat(execution.evaluation().stdout()).isEqualTo("hello\n");
        assertThat(execution.evaluation().errorTraceback()).isNull();
        assertThat(execution.ending(RunScript.Kind.SOLUTION)).endsWith(" s, in line 3: time.sleep(600)");
        assertThat(execution.bug())
                .isEqualTo(Tracebacks.HEADER
                        + "\n  File \"./solution.py\", line 3, in <module>\n    time.sleep(600)\n"
                        + "TimeoutError: the script was stopped after " + seconds + " seconds");
        assertThat(scratch).isEmptyDirectory();
    }

    private static Execution.Failed stopped(ScriptRunner runner, RunScript script, Path data, int seconds) {
        Instant end = Instant.now().plusSeconds(seconds);
        Execution execution = runner.run(script, data, new Window(end, end), ScriptListener.NONE, Optional.empty());
        assertThat(execution).isInstanceOf(Execution.TimedOut.class);
        return (Execution.Failed) execution;
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement("REQ-EX-037")
    void aScriptThatEndsLeavesNobodyBehindEither(Isolation isolation) throws Exception {
        String name = Sandboxes.uniqueName();
        String program = BEGETS + """
                for i in range(5):
                    os.read(born, 1)
                print('Final Validation Performance: 0.5')
                """;
        Raw raw = Sandboxes.run(Sandboxes.of(isolation), Sandboxes.workspace(folder), Sandboxes.AMPLE, program, name);
        assertThat(raw.exitCode()).as(raw.stderr()).isZero();
        assertThat(raw.timedOut()).isFalse();
        assertThat(Scores.parse(raw.stdout())).hasValue(0.5);
        assertNobodyLives(name);
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement("REQ-EX-037")
    void aRunnerThatIsInterruptedEndsItsScript(Isolation isolation) throws Exception {
        String name = Sandboxes.uniqueName();
        Workspace workspace = Sandboxes.workspace(folder);
        Future<Raw> run = THREADS.submit(() -> Sandboxes.run(Sandboxes.of(isolation, BRIEF), workspace, Sandboxes.AMPLE,
                "import time\nopen('final/begun', 'w').close()\ntime.sleep(600)\n", name));
        Waiting.until("the script has begun", () -> Files.exists(workspace.finalFolder().resolve("begun")));
        run.cancel(true);
        assertNobodyLives(name);
    }

    /// The kernel ends a bubblewrapped script with the thread that started it, so that must not be
    /// one that carries virtual threads: those come and go.
    @Test
    void aScriptDoesNotHangOnAThreadThatMayEnd() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/thread-self/children")), "needs Linux with lists of children");
        String name = Sandboxes.uniqueName();
        Workspace workspace = Sandboxes.workspace(folder);
        Future<Raw> run =
                THREADS.submit(() -> Sandboxes.run(Sandboxes.of(Isolation.SESSION), workspace, Sandboxes.AMPLE, """
                        import os, time
                        open('final/begun', 'w').close()
                        while not os.path.exists('final/end'):
                            time.sleep(0.01)
                        """, name));
        Waiting.until("the script has begun", () -> Files.exists(workspace.finalFolder().resolve("begun")));
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            List<String> parents = threads.filter(thread -> childrenOf(thread).anyMatch(line -> line.contains(name)))
                    .map(thread -> textOf(thread.resolve("comm")).strip()).toList();
            assertThat(parents).as("threads with the script as their child").isNotEmpty()
                    .noneMatch(thread -> thread.startsWith("ForkJoinPool"));
        } finally {
            Files.createFile(workspace.finalFolder().resolve("end"));
        }
        assertThat(run.get().exitCode()).isZero();
    }

    private static Stream<String> childrenOf(Path thread) {
        return Stream.of(textOf(thread.resolve("children")).split(" ")).filter(pid -> !pid.isEmpty())
                .map(pid -> Sandboxes.commandLine(Long.parseLong(pid)));
    }

    private static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private ScriptDeadline deadline(Duration left, Duration most, int slots) {
        return new ScriptDeadline(now::get, new Window(START.plus(left), START.plus(left)), most, slots,
                contenders::get);
    }

    private void at(int second, int contend) {
        now.set(START.plusSeconds(second));
        contenders.set(contend);
    }

    @Test
    void aScriptForWhichNobodyWaitsMayTakeAllThatIsLeft() {
        ScriptDeadline deadline = deadline(Duration.ofSeconds(100), HOUR, 1);
        assertThat(deadline.allowed()).hasSeconds(100);
        at(90, 1);
        assertThat(deadline.allowed()).hasSeconds(100);
    }

    @Test
    @Requirement({"REQ-OR-024", "REQ-OR-026"})
    void aScriptThatBeganAloneSharesWithThoseWhoComeLater() {
        ScriptDeadline deadline = deadline(Duration.ofSeconds(100), HOUR, 1);
        assertThat(deadline.allowed()).hasSeconds(100);
        at(10, 3);
        assertThat(deadline.allowed()).hasSeconds(10 + 90 / 3);
        at(20, 5);
        assertThat(deadline.allowed()).hasSeconds(20 + 80 / 5);
    }

    @Test
    void whatOthersGiveUpIsLeftAgain() {
        ScriptDeadline deadline = deadline(Duration.ofSeconds(100), HOUR, 2);
        at(0, 4);
        assertThat(deadline.allowed()).hasSeconds(50);
        at(10, 2);
        assertThat(deadline.allowed()).hasSeconds(100);
    }

    @Test
    void noScriptMayTakeMoreThanItsOwnLimitOrWhatIsLeft() {
        ScriptDeadline deadline = deadline(Duration.ofSeconds(-5), HOUR, 1);
        assertThat(deadline.allowed()).isZero();
        assertThat(deadline(Duration.ofSeconds(100), Duration.ofSeconds(7), 1).allowed()).as("its own limit")
                .hasSeconds(7);
    }
}

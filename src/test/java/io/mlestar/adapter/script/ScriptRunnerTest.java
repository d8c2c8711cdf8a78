package io.mlestar.adapter.script;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.show.log.Ear;
import module java.base;
import java.util.logging.Level;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class ScriptRunnerTest {
    private static final ScriptListener NONE = (name, content) -> {
        throw new AssertionError("nothing was to be kept, but " + name + " was");
    };
    private static final String SUBMITS = "open('final/submission.csv', 'w').write('id,x\\n1,2\\n2,3\\n')\n";
    private static final String MISSING = "SubmissionError: ./final/submission.csv was not created or is empty";

    @TempDir
    private Path folder;

    private Path data;
    private Path scratch;

    /// The files that were kept, by the names that were given.
    private final Map<String, String> kept = new LinkedHashMap<>();

    @BeforeEach
    void makeData() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id\n1\n");
        scratch = folder.resolve("scratch/of/scripts");
    }

    private String keep(String name, InputStream content) {
        try (content) {
            kept.put(name, new String(content.readAllBytes(), StandardCharsets.UTF_8));
            return "runs/a/" + name;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A window as long as this from now on.
    private static Window in(Duration time) {
        Instant now = Instant.now();
        return new Window(now.plus(time), now.plus(time));
    }

    private ScriptRunner runner() {
        return new ScriptRunner(Sandboxes.of(Isolation.strongest(Sandboxes.PYTHON)), InstantSource.system(), scratch);
    }

    private Execution run(String content, Kind kind, ScriptListener keeper) {
        return runner().run(new RunScript(content, kind, 60), data, in(Sandboxes.AMPLE), keeper, Optional.empty());
    }

    private static String bug(Execution execution) {
        return ((Execution.Failed) execution).bug();
    }

    private static Execution.Submission submission(Execution execution) {
        return ((Execution.Ended) execution).submission();
    }

    @Test
    @Requirement({"REQ-EX-015", "REQ-EX-028", "REQ-EX-029"})
    void aGoodScriptGetsItsScore() {
        Execution execution =
                run("print(len(open('input/train.csv').readlines()))\nprint('Final Validation Performance: 0.9')",
                        Kind.SOLUTION, NONE);
        assertThat(execution.evaluation().stdout()).startsWith("2\n");
        assertThat(execution).isInstanceOfSatisfying(Execution.Scored.class, scored -> {
            assertThat(scored.evaluation().score().value()).isEqualTo(0.9);
            assertThat(scored.evaluation().isError()).isFalse();
            assertThat(scored.submission()).isNull();
        });
    }

    @Test
    void aScriptKnowsHowManyRowsItMayLearnFromAndHowLong() {
        String program =
                "import os\nprint(os.environ.get('MLE_STAR_ROWS'), 0 < int(os.environ['MLE_STAR_SECONDS']) <= 60)\n";
        ScriptRunner runner = runner();
        assertThat(Stream
                .of(new RunScript(program, Kind.ABLATION, 60, null, 0, 1000, null),
                        new RunScript(program, Kind.ABLATION, 60))
                .map(script -> runner.runAlone(script, data).evaluation()
                        .stdout()))
                .containsExactly("1000 True\n", "None True\n");
    }

    @Test
    void aStudyMayImportTheBestScript() {
        assertThat(runner()
                .runAlone(new RunScript("import best\nprint(best.seen)", Kind.STUDY, 60, null, 0, null, "seen = 2"),
                        data)
                .evaluation().stdout()).isEqualTo("2\n");
    }

    @Test
    @Requirement({"REQ-EX-002", "REQ-EX-010", "REQ-EX-042", "REQ-OR-003"})
    void eachScriptBeginsInAFreshFolder() {
        RunScript script = new RunScript("""
                import os
                print(sorted(os.listdir('.')), os.listdir('final'))
                open('left.txt', 'w').close()
                open('final/submission.csv', 'w').close()
                """, Kind.SOLUTION, 60);
        ScriptRunner runner = runner();
        for (int i = 0; i < 2; i++) {
            assertThat(runner.runAlone(script, data).evaluation().stdout())
                    .isEqualTo("['.home', 'final', 'input', 'solution.py'] []\n");
        }
    }

    /// The least disturbed of a few scripts counts; the time that a script itself takes is in its
    /// result.
    @Test
    @Requirement("REQ-EX-035")
    void writingStartingAndReadingTakeTwoSecondsAtMost() {
        ScriptRunner runner = runner();
        RunScript script = new RunScript("print('Final Validation Performance: 0.9')", Kind.SOLUTION, 60);
        double least = Double.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long begin = System.nanoTime();
            Execution execution = runner.runAlone(script, data);
            assertThat(execution).isInstanceOf(Execution.Scored.class);
            least = Math.min(least, (System.nanoTime() - begin) / 1e9 - execution.evaluation().durationSeconds());
        }
        assertThat(least).isLessThan(2);
    }

    @Test
    @Requirement("REQ-OR-030")
    void aScriptEndsWithAllItStartedWhenItIsStopped() throws Exception {
        String name = Sandboxes.uniqueName();
        RunScript script = new RunScript("""
                import subprocess, sys
                subprocess.run([sys.executable, '-c', 'import time; print(1); time.sleep(600)', '%s'])
                """.formatted(name), Kind.SOLUTION, 60);
        AtomicReference<IntFunction<String>> output = new AtomicReference<>(most -> "");
        AtomicBoolean lived = new AtomicBoolean();
        refusal(StepStopped.class,
                () -> runner().run(script, data, in(Sandboxes.AMPLE), Sandboxes.following(output::set, () -> {
                    if (!output.get().apply(10).isEmpty()) {
                        lived.set(!Sandboxes.alive(name).isEmpty());
                        throw new StepStopped("enough");
                    }
                }), Optional.empty())).isEqualTo("enough");
        assertThat(lived).as("its child was there").isTrue();
        Waiting.patiently("nobody lives on").untilAsserted(() -> assertThat(Sandboxes.alive(name)).isEmpty());
        assertThat(scratch).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"SOLUTION", "ABLATION", "SUBMISSION"})
    void nothingStaysOnTheDisk(Kind kind) {
        run("open('left.txt', 'w').write('x')\n" + SUBMITS, kind, this::keep);
        run("raise ValueError()", kind, NONE);
        run("exit()", kind, NONE);
        assertThat(scratch).isEmptyDirectory();
        assertThat(data).isDirectoryContaining(file -> file.endsWith("train.csv"));
    }

    @Test
    @Requirement({"REQ-EX-006", "REQ-EX-044"})
    void aRefusedScriptIsAFailureThatTheDebuggerCanRepair() {
        Execution execution = run("print(1)\nexit()\n", Kind.SOLUTION, NONE);
        assertThat(execution.evaluation().isError()).isTrue();
        assertThat(execution.evaluation().exitCode()).isEqualTo(-1);
        assertThat(execution).isInstanceOf(Execution.Crashed.class);
        assertThat(bug(execution)).isEqualTo(execution.evaluation().errorTraceback())
                .startsWith(Tracebacks.HEADER + "\nValueError: ")
                .contains("exit()");
    }

    @Test
    @Requirement({"REQ-EX-024", "REQ-EX-025", "REQ-P3-015"})
    void aSubmissionIsKeptUnderANameMadeOfItsContent() {
        Execution.Submission submission = submission(run(SUBMITS, Kind.SUBMISSION, this::keep));
        assertThat(submission.sizeBytes()).isEqualTo(13);
        assertThat(submission.rowCount()).isEqualTo(2);
        assertThat(submission(run(SUBMITS, Kind.SOLUTION, this::keep))).as("kept as a last resort")
                .isEqualTo(submission);
        assertThat(kept).containsOnlyKeys(submission.key().replace("runs/a/", "")).containsValue("id,x\n1,2\n2,3\n");
        assertThat(submission.key()).matches("runs/a/submission-[0-9a-f]{12}\\.csv");
        assertThat(submission(run(SUBMITS, Kind.SUBMISSION, this::keep))).isEqualTo(submission);
        assertThat(submission(run(SUBMITS.replace("2,3", "2,4"), Kind.SUBMISSION, this::keep)).key())
                .isNotEqualTo(submission.key());
    }

    @Test
    @Requirement("REQ-EX-024")
    void oneThatIsTooLargeIsABugOfTheLastScriptHoweverFewBytesItTakesOnDisk() {
        String program = "open('final/submission.csv', 'wb').truncate(3 << 30)";
        assertThat(submission(run(program, Kind.SOLUTION, NONE))).isNull();
        assertThat(bug(run(program, Kind.SUBMISSION, NONE))).isEqualTo(Tracebacks.HEADER
                + "\nSubmissionError: ./final/submission.csv has "
                + "3221225472 bytes, more than the 268435456 that are taken (max_submission_mb); write only the rows and columns that the task asks for");
    }

    @Test
    void anAblationStudyHasAFileOfItsOwnAndItsSubmissionIsNotKept() {
        Execution execution = run(SUBMITS + "print(__file__)", Kind.ABLATION, NONE);
        assertThat(execution.evaluation().stdout()).endsWith("ablation.py\n");
        assertThat(submission(execution)).isNull();
        assertThat(execution.evaluation().isError()).isFalse();
    }

    @Test
    @Requirement({"REQ-EX-024", "REQ-FN-045"})
    void aSubmissionScriptThatLeavesNoneHasFailed() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "the secret");
        Path linked = Files.createDirectory(folder.resolve("linked"));
        Files.writeString(linked.resolve("submission.csv"), "id,x\n1,2\n");
        for (String program : List.of("print(1)", "open('final/submission.csv', 'w').close()",
                "open('submission.csv', 'w').write('id,x\\n1,2\\n')",
                "open('final/final_submission.csv', 'w').write('id,x\\n1,2\\n')",
                "import os\nos.mkdir('final/submission.csv')",
                "import os\nos.symlink('%s', 'final/submission.csv')".formatted(secret),
                "import os\nos.rmdir('final')\nos.symlink('%s', 'final')".formatted(linked),
                "import shutil\nshutil.rmtree('final')")) {
            Execution execution = run(program, Kind.SUBMISSION, NONE);
            assertThat(execution.evaluation().isError()).as(program).isTrue();
            assertThat(bug(execution)).as(program).endsWith(MISSING);
        }
    }

    @Test
    void aKeeperThatFailsIsHeardAndTheFolderIsGone() {
        ScriptListener broken = (name, content) -> {
            throw new IllegalStateException("the store is away");
        };
        assertThatThrownBy(() -> run(SUBMITS, Kind.SUBMISSION, broken)).hasMessage("the store is away");
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void asManyRunAtOnceAsThereAreSlotsEachWithItsGpu() throws Exception {
        Sandbox two = new Sandbox(Sandboxes.PYTHON, Isolation.SESSION, new Machine(2, 1L << 40, List.of("A", "B")), 2,
                Optional.empty(), Weights.NONE);
        ScriptRunner runner = new ScriptRunner(two, InstantSource.system(), scratch);
        Path shared = Files.createDirectory(folder.resolve("shared"));
        // Each waits until two have begun, then looks who else is running and on which GPU, and
        // goes.
        String program = """
                import os, time
                me, gpu = %d, os.environ['CUDA_VISIBLE_DEVICES']
                os.chdir('%s')
                open('begun-%%d' %% me, 'w').close()
                os.mkdir('gpu-' + gpu)
                while len([name for name in os.listdir('.') if name.startswith('begun')]) < 2:
                    time.sleep(0.01)
                print(me, len([name for name in os.listdir('.') if name.startswith('gpu')]) <= 2)
                os.rmdir('gpu-' + gpu)
                """;
        List<Future<Execution>> runs = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 5; i++) {
                RunScript script = new RunScript(program.formatted(i, shared), Kind.SOLUTION, 60);
                runs.add(threads.submit(() -> runner.run(script, data, in(Sandboxes.AMPLE), NONE, Optional.empty())));
            }
        }
        for (int i = 0; i < runs.size(); i++) {
            assertThat(runs.get(i).get()).isInstanceOf(Execution.Silent.class);
            assertThat(runs.get(i).get().evaluation().stdout()).as("its own output").isEqualTo(i + " True\n");
        }
    }

    @Test
    @Requirement("REQ-FN-022")
    void aSubmissionThatIsNoCsvIsKeptWithAWarning() {
        assertThat(warnings("id,x\\n1,2\\n\\\"3\\n,5\\\",4")).isEmpty();
        assertThat(warnings("id,x\\n1,2\\n3,4,5\\n")).singleElement().asString()
                .startsWith("./final/submission.csv is no CSV: ").contains("3 fields");
        assertThat(warnings("id,x\\n1,\\xff\\xfe\\n")).singleElement().asString()
                .contains("is no CSV: it cannot be read as UTF-8");
    }

    private List<String> warnings(String csv) {
        List<String> warnings = new ArrayList<>();
        try (Ear ear = new Ear("mle_star.sandbox", line -> {
            if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                warnings.add(new SimpleFormatter().formatMessage(line));
            }
        })) {
            String program = "open('final/submission.csv', 'wb').write(b'%s')".formatted(csv);
            assertThat(run(program, Kind.SUBMISSION, this::keep)).isInstanceOfSatisfying(Execution.Ended.class,
                    ended -> assertThat(ended.submission()).isNotNull());
        }
        return warnings;
    }
}

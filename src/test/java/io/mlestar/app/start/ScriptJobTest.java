package io.mlestar.app.start;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mlestar.Waiting;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.script.DataViews;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.adapter.script.Sandboxes;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.show.log.LoggedRun;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Scripts of a run, as one machine and as a Job run them.
@Timeout(300)
class ScriptJobTest {
    private static final StepPath STEP = StepPath.parse("r/finalization/submission");
    private static final String SUBMITS = "open('final/submission.csv', 'w').write('id,y\\n1,0\\n')\n";
    private static final String WAITS = "import time\nprint('under way', flush=True)\ntime.sleep(600)\n";

    private static final String WAITS_FOR_DATA =
            "import os, time\nwhile not os.path.exists('input/go'):\n    time.sleep(0.01)\n";

    @TempDir
    private Path folder;

    private final Records records = new Records(new MemoryStore());
    private final RunningOutputs outputs = new RunningOutputs();

    private RunHeader run;

    @BeforeEach
    void makeData() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id,y\n1,0\n");
        RunHeader made = World.header("r", "{\"max_submission_mb\": 1}");
        run = new RunHeader("r", made.task().withDataDir(data.toString()), made.config(), "no GPU", "test", "digest",
                made.startedAt(), made.deadline(), null, null);
        records.create(run);
    }

    private ScriptJob job() {
        return new ScriptJob(records, new DataSets(Map.of()),
                () -> new ScriptRunner(Sandboxes.of(Isolation.strongest(Sandboxes.PYTHON)),
                        InstantSource.system()),
                new DataViews(), new MemoryPressure(folder), outputs);
    }

    private Execution run(String content, Kind kind) {
        Instant end = Instant.now().plus(Waiting.MOST);
        return job().run(STEP, new RunScript(content, kind, 300), run.context(), new Window(end, end), () -> 1);
    }

    @Test
    void whatAScriptSubmitsIsInTheStoreBesideItsStep() {
        Execution.Submission submission = ((Execution.Ended) run(SUBMITS, Kind.SUBMISSION)).submission();
        assertThat(submission.key()).startsWith("runs/r/steps/finalization/submission.");
        assertThat(records.store().read(submission.key()).map(bytes -> new String(bytes, StandardCharsets.UTF_8)))
                .contains("id,y\n1,0\n");
        assertThat(outputs.tail(STEP, 5)).as("it does not run any more").isEmpty();
    }

    @Test
    void aSubmissionOfAnotherFormThanTheSamplesIsKeptAndGoesToTheDebugger() throws IOException {
        Files.writeString(folder.resolve("data/sample_submission.csv"), "id,y\n1,0\n2,0\n");
        Execution.Doubtful doubted = (Execution.Doubtful) run(SUBMITS, Kind.SUBMISSION);
        assertThat(doubted.bug()).isEqualTo(
                "Traceback (most recent call last):\nSubmissionError: ./final/submission.csv is not as sample_submission.csv: "
                        + "rows: 1; there must be 2; 1 id is missing: 2");
        assertThat(doubted.submission().wrong()).isEqualTo("not as sample_submission.csv: rows: 1; there must be 2; "
                + "1 id is missing: 2");
        assertThat(records.store().read(doubted.submission().key())).isPresent();

        Execution solution = run(SUBMITS + "print('Final Validation Performance: 0.5')\n", Kind.SOLUTION);
        assertThat(((Execution.Scored) solution).submission().wrong()).startsWith("not as sample_submission.csv");

        Files.writeString(folder.resolve("data/sample_submission.csv"), "id,y\n1,0\n");
        assertThat(((Execution.Ended) run(SUBMITS, Kind.SUBMISSION)).submission().wrong()).isNull();
    }

    @Test
    void aSubmissionBeyondTheRunsLimitIsTheScriptsFault() {
        Execution large =
                run("open('final/submission.csv', 'w').write('id,y\\n' + '1,0\\n' * 400_000)\n", Kind.SUBMISSION);
        assertThat(((Execution.Failed) large).bug()).contains("max_submission_mb");
    }

    @Test
    void whatItPrintsCanBeReadWhileItRunsAndItEndsWithItsRunOrItsStep() throws Exception {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Execution> cancelled = pool.submit(() -> run(WAITS, Kind.SOLUTION));
            Waiting.until("it prints", () -> outputs.tail(STEP, 5).filter("under way"::equals).isPresent());
            records.cancel("r");
            assertThatExceptionOfType(ExecutionException.class).isThrownBy(cancelled::get)
                    .withCauseInstanceOf(StepStopped.class)
                    .withMessageContaining("the run was cancelled");

            Future<Execution> last = pool.submit(() -> run(WAITS, Kind.SUBMISSION));
            Waiting.until("the last one goes on", () -> outputs.tail(STEP, 5).filter("under way"::equals).isPresent());
            records.create(STEP, StepResult.of(new Outcome.Stopped<>("ended elsewhere"), World.NOW, World.NOW, 0.0));
            refusal(ExecutionException.class, last::get).contains("the step has ended without it");
        }
    }

    @Test
    void memoryThatRunsShortIsNotedWithTheAttempt() throws Exception {
        records.invocations().begin(STEP, World.NOW, "pod", 0.0);
        Files.writeString(folder.resolve("memory.max"), String.valueOf(16L << 30));
        Files.writeString(folder.resolve("memory.stat"),
                "anon " + (15L << 30) + "\nshmem 0\nfile " + (1L << 30) + "\n");
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Execution> script = pool.submit(() -> run(WAITS_FOR_DATA, Kind.ABLATION));
            Waiting.until("it is noted", () -> records.invocations().of(STEP).getFirst().memory().isPresent());
            Files.createFile(folder.resolve("data/go"));
            assertThat(script.get()).isNotInstanceOf(Execution.Failed.class);
        }
        assertThat(records.invocations().of(STEP).getFirst().memory())
                .contains("15.0 of 16.0 GiB of memory were in use");
    }

    @Test
    void threadsAreSharedWithAsManyScriptsAsThePhasesAboveHaveAtOnce() {
        StepPath path = StepPath.parse("r/phase2-path0");
        records.create(path, new LoggedRun("{\"outer_loop_steps\": 1}").played().records.request(path).orElseThrow());
        assertThat(threads(path.child("script"), "{\"num_parallel_solutions\": 1}")).isEqualTo(2);
        assertThat(threads(path.child("script"), "{\"num_parallel_solutions\": 2}")).isEqualTo(1);
        assertThat(threads(StepPath.parse("r/script"), "{\"num_parallel_solutions\": 2}")).as("in no phase of several")
                .isEqualTo(2);
    }

    private double threads(StepPath step, String config) {
        RunContext context = new RunContext(run.task(), World.header("r", config).config(), "no GPU");
        RunScript script =
                new RunScript("import os\nprint('Final Validation Performance:', os.environ['OMP_NUM_THREADS'])\n",
                        Kind.SOLUTION, 300);
        Instant end = Instant.now().plus(Waiting.MOST);
        return ((Execution.Scored) job().run(step, script, context, new Window(end, end), () -> 1)).evaluation().score()
                .known();
    }
}

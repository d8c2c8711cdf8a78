package io.mlestar.adapter.script;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.script.Sandbox.Raw;
import io.mlestar.adapter.script.ScriptJobSpec.ResourceShare;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Json;
import module java.base;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
class SandboxTest {
    private static final String ISOLATIONS = "io.mlestar.adapter.script.Sandboxes#isolations";
    /// All that a script finds in its environment (REQ-EX-004).
    private static final Set<String> ENVIRONMENT = Set.of("PATH", "HOME", "TMPDIR", "USER", "LOGNAME", "LANG",
            "PYTHONUNBUFFERED", "PYTHONFAULTHANDLER", "PYTHONHASHSEED",
            "PYTHONDONTWRITEBYTECODE", "NO_ALBUMENTATIONS_UPDATE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
            "MKL_NUM_THREADS",
            "NUMEXPR_MAX_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS", "LOKY_MAX_CPU_COUNT", "GOMP_SPINCOUNT",
            "PYTHONWARNINGS", "MLE_STAR_SECONDS");

    @TempDir
    private Path folder;

    private Raw run(Isolation isolation, String program) throws Exception {
        return Sandboxes.run(Sandboxes.of(isolation), folder, Sandboxes.AMPLE, program);
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement({"REQ-EX-007", "REQ-EX-008", "REQ-EX-041"})
    void keepsTheTwoStreamsApart(Isolation isolation) throws Exception {
        Raw raw = run(isolation,
                "import os, sys\nprint('to out', os.path.abspath('final/x.csv'))\nprint('to err', file=sys.stderr)\n");
        assertThat(raw.stdout()).as("without the folder's name").isEqualTo("to out ./final/x.csv\n");
        assertThat(raw.stderr()).isEqualTo("to err\n");
        assertThat(raw.exitCode()).isZero();
        assertThat(raw.timedOut()).isFalse();
        assertThat(raw.durationSeconds()).isPositive().isLessThan(Sandboxes.AMPLE.toSeconds());
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement({"REQ-EX-001", "REQ-EX-007"})
    void runsInItsFolderAndSeesTheData(Isolation isolation) throws Exception {
        Workspace workspace = Sandboxes.workspace(folder);
        Files.writeString(folder.resolve("data/train.csv"), "id\n1\n");
        Raw raw = Sandboxes.run(Sandboxes.of(isolation), workspace, Sandboxes.AMPLE, """
                import os
                print(os.getcwd(), open('./input/train.csv').read().split())
                open('./final/submission.csv', 'w').write('id,x')
                """);
        assertThat(raw.stderr()).isEmpty();
        assertThat(raw.stdout()).isEqualTo(workspace.folder() + " ['id', '1']\n");
        assertThat(workspace.submission()).hasContent("id,x");
        assertThat(folder).as("nothing is left beside the workspace")
                .isDirectoryNotContaining(path -> !path.equals(workspace.folder()) && !path.endsWith("data"));
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement({"REQ-EX-007", "REQ-EX-013"})
    void anExitCodeIsAnAnswerAndNotAnException(Isolation isolation) throws Exception {
        assertThat(run(isolation, "raise SystemExit(3)").exitCode()).isEqualTo(3);
        Raw crashed = run(isolation, "print('before')\n{}['target']\n");
        assertThat(crashed.exitCode()).isEqualTo(1);
        assertThat(crashed.stdout()).isEqualTo("before\n");
        assertThat(Tracebacks.last(crashed.stderr()).orElseThrow()).endsWith("KeyError: 'target'");
        Raw killed = run(isolation, "import faulthandler\nprint('before')\nfaulthandler._read_null()\n");
        assertThat(killed.exitCode()).as("by a signal").isEqualTo(128 + 11);
        assertThat(killed.stdout()).isEqualTo("before\n");
        assertThat(killed.timedOut()).isFalse();
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement("REQ-EX-004")
    void theEnvironmentHoldsWhatItShouldAndNothingElse(Isolation isolation) throws Exception {
        Raw raw = run(isolation, "import json, os\nprint(json.dumps(dict(os.environ)))\n");
        Set<String> names = new TreeSet<>();
        Json.parse(raw.stdout()).fieldNames().forEachRemaining(names::add);
        // The first belongs to the machine, the others are added by bubblewrap and by Python
        // itself.
        names.removeAll(Set.of("CUDA_VISIBLE_DEVICES", "PWD", "LC_CTYPE"));
        boolean offline = names.removeAll(Set.of("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"));
        assertThat(offline).as("without a wall there may be a network").isEqualTo(isolation != Isolation.SESSION);
        assertThat(names).containsExactlyInAnyOrderElementsOf(ENVIRONMENT);
        assertThat(Json.parse(raw.stdout()).path("PYTHONUNBUFFERED").asText()).isEqualTo("1");
        assertThat(Json.parse(raw.stdout()).path("PYTHONHASHSEED").asText()).isEqualTo("0");
        assertThat(Json.parse(raw.stdout()).path("HOME").asText()).endsWith("/.home");
    }

    @Test
    @Requirement("REQ-EX-004")
    void scriptsThatRunAtOnceShareTheProcessorsAndTheGpusWhichAreNamed() {
        Machine cpu = new Machine(8, 1 << 30, List.of());
        assertThat(cpu.share(1, 4, 4)).isEqualTo(new ResourceShare(2, List.of(), ""));
        Machine gpus = new Machine(8, 1 << 30, List.of("V100", "V100"));
        assertThat(gpus.share(0, 2, 2).gpus()).containsExactly("0");
        assertThat(gpus.share(1, 2, 2).gpus()).containsExactly("1");
        assertThat(gpus.share(3, 4, 4).gpus()).as("two scripts share one").containsExactly("1");
        assertThat(gpus.share(0, 1, 1).gpus()).as("a script alone has all").isEmpty();
        assertThat(new Machine(8, 1 << 30, List.of("V100", "V100", "V100", "V100")).share(1, 2, 2).gpus())
                .containsExactly("1", "3");
        assertThat(gpus.choosing("GPU-1a2b, 3").share(1, 2, 2).gpus()).containsExactly("3");
        assertThat(gpus.choosing("-1").devices()).as("as CUDA is told to use none").isEmpty();
        Sandbox sandbox = Sandboxes.of(Isolation.SESSION);
        assertThat(sandbox.environment(folder, new ResourceShare(1, List.of("0", "1"), "")))
                .containsEntry("CUDA_VISIBLE_DEVICES", "0,1");
        assertThat(sandbox.environment(folder, new ResourceShare(1, List.of(), "")).get("CUDA_VISIBLE_DEVICES"))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({"8, 8, 2, 4", "8, 8, 4, 2", "8, 8, 1, 8", "8, 4, 100, 2", "2, 8, 4, 1", "8, 1, 4, 8", "8, 8, 0, 8"})
    @Requirement("REQ-EX-004")
    void threadsAreTheProcessorsByTheScriptsThatCanBeRunningAtOnce(int processors, int slots, int beside,
            String threads) {
        Sandbox sandbox = new Sandbox(Sandboxes.PYTHON, Isolation.SESSION, new Machine(processors, 1 << 30, List.of()),
                slots, Optional.empty(), Weights.NONE);
        assertThat(sandbox.environment(folder, sandbox.machine().share(0, slots, beside)))
                .containsEntry("OMP_NUM_THREADS", threads)
                .containsEntry("LOKY_MAX_CPU_COUNT", threads).containsEntry("POLARS_MAX_THREADS", threads)
                .containsEntry("GOMP_SPINCOUNT", "1000")
                .doesNotContainKey("SURVEY_TOLD");
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void aScriptCannotMakeTheRunnerReadOtherFiles(Isolation isolation) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "the secret");
        Raw raw = run(isolation, """
                import os
                for path, folders, files in os.walk('.'):
                    for name in files:
                        os.remove(os.path.join(path, name))
                        os.symlink('%s', os.path.join(path, name))
                print('done')
                """.formatted(secret));
        assertThat(raw.stdout()).isEqualTo("done\n");
        assertThat(raw.stderr()).isEmpty();
        assertThat(secret).hasContent("the secret");
    }

    @Test
    void aScriptReadsNothingFromTheRunnersStdin() throws Exception {
        assertThat(run(Isolation.SESSION, "import sys\nprint(repr(sys.stdin.read()))").stdout()).isEqualTo("''\n");
    }

    @Test
    void anInterpreterThatWentAwayIsAnException() {
        Python gone = new Python(folder.resolve("python"), List.of(), "3.11.0");
        Sandbox sandbox = new Sandbox(gone, Isolation.SESSION, new Machine(1, 1L << 40, List.of()), 1, Optional.empty(),
                Weights.NONE);
        refusal(IOException.class, () -> Sandboxes.run(sandbox, folder, Sandboxes.AMPLE, "print(1)"))
                .contains("python");
    }

    @Test
    @Requirement("REQ-EX-038")
    void hundredsOfMegabytesOfOutputTakeNoMemoryAndKeepTheirEnd() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getTotalThreadAllocatedBytes();
        Raw raw = run(Isolation.SESSION, """
                import os, sys
                block = b'x' * ((1 << 20) - 1) + b'\\n'
                for i in range(300):
                    os.write(1, block)
                    if i % 10 == 0:
                        os.write(2, block)
                print('Final Validation Performance: 0.75')
                print('the end', file=sys.stderr)
                """);
        long allocated = threads.getTotalThreadAllocatedBytes() - before;
        assertThat(raw.exitCode()).isZero();
        assertThat(raw.stdout()).startsWith("[the output was cut: ").contains("bytes are missing here]\n")
                .hasSizeLessThan(2 << 20);
        assertThat(raw.stderr()).startsWith("[the output was cut: ").endsWith("\nthe end\n");
        assertThat(Scores.parse(raw.stdout())).hasValue(0.75);
        assertThat(allocated).isLessThan(100L << 20);
    }

    @Test
    void whatAScriptPrintsCanBeSeenWhileItRuns() throws Exception {
        Workspace workspace = Sandboxes.workspace(folder);
        workspace.write("""
                import os, sys, time
                print('begun in ' + os.getcwd() + '/x')
                print('as an error', file=sys.stderr)
                while not os.path.exists('seen'):
                    time.sleep(0.02)
                """, "solution.py");
        AtomicReference<IntFunction<String>> printing = new AtomicReference<>();
        Sandbox sandbox = Sandboxes.of(Isolation.SESSION);
        Raw raw = sandbox.run(Sandboxes.job(sandbox, workspace, "solution.py", () -> Waiting.MOST,
                Sandboxes.following(printing::set, () -> {
                    if (printing.get().apply(1_000).equals("begun in ./x\nas an error\n")) {
                        workspace.write("seen = True", "seen");
                    }
                })));
        assertThat(raw.exitCode()).isZero();
        assertThat(printing.get().apply(1_000)).as("nothing is left of it").isEmpty();
    }
}

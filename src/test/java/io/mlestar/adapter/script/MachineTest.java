package io.mlestar.adapter.script;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.script.Sandbox.Raw;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// All that a script may take of the machine: processors, GPUs, memory, and models that lie there.
@Timeout(300)
class MachineTest {
    private static final Duration AMPLE = Waiting.MOST;
    private static final String TWO_GPUS = "echo 'Tesla V100 '; echo; echo 'Tesla A100'";

    private static final String ISOLATIONS = "io.mlestar.adapter.script.Sandboxes#isolations";
    private static final long MIB = 1L << 20;

    @TempDir
    private Path folder;

    /// The command of a driver's tool that does this.
    private List<String> driver(String does) throws IOException {
        Path program = Files.writeString(folder.resolve("nvidia-smi"), "#!/bin/sh\n" + does + "\n");
        return List.of(Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x")).toString());
    }

    @Test
    @Requirement({"REQ-EX-003", "REQ-OR-004"})
    void whatIsThereIsSeen() throws IOException {
        Machine machine = Machine.detect(driver(TWO_GPUS), AMPLE);
        assertThat(machine.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(machine.memoryBytes()).isGreaterThan(100L << 20);
        assertThat(machine.cudaAvailable()).isTrue();
        assertThat(machine.gpuNames()).containsExactly("Tesla V100", "Tesla A100");
    }

    @ParameterizedTest
    @ValueSource(strings = {TWO_GPUS + "; exit 9", "exit 0", "kill -9 $$"})
    @Requirement({"REQ-EX-003", "REQ-OR-004"})
    void aDriverThatFailsOrNamesNothingHasNoGpu(String does) throws IOException {
        assertThat(Machine.detect(driver(does), AMPLE).gpuNames()).isEmpty();
        assertThat(Machine.detect(List.of(folder.resolve("nowhere").toString()), AMPLE).gpuNames()).isEmpty();
    }

    /// One that hangs before it names a GPU, one that does after, and one that waits for a child.
    @ParameterizedTest
    @ValueSource(strings = {"exec sleep 4712", TWO_GPUS + "; exec sleep 4712",
        TWO_GPUS + "; sleep 4712 & echo $! > \"$0.pid\"; wait"})
    @Requirement({"REQ-EX-003", "REQ-OR-004"})
    void aDriverThatHangsIsNotWaitedFor(String does) throws IOException {
        List<String> driver = driver("echo $$ > \"$0.pid\"; " + does);
        long begin = System.nanoTime();
        assertThat(Machine.detect(driver, Duration.ofMillis(300)).gpuNames()).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(AMPLE);
        Path pid = Path.of(driver.getFirst() + ".pid");
        Waiting.until("nobody of it is left", () -> gone(pid));
        assertThat(Machine.MOST).as("what a driver is usually given").isEqualTo(Duration.ofSeconds(10));
    }

    private static boolean gone(Path pid) {
        try {
            return !Files.exists(pid) || ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                    .filter(ProcessHandle::isAlive).isEmpty();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void theNumberOfScriptsAtOnceIsASetting() {
        Map<String, String> three = Map.of("MLE_STAR_SCRIPTS_AT_ONCE", " 3 ");
        assertThat(Sandbox.of(Sandboxes.PYTHON, three).slots()).isEqualTo(3);
        Sandbox usual = Sandbox.of(Sandboxes.PYTHON, Map.of());
        assertThat(usual.slots()).as("one for each GPU or processor").isEqualTo(usual.machine().cudaAvailable()
                ? usual.machine().gpuNames().size() : usual.machine().processors());
        assertThat(Sandbox.alone(Sandboxes.PYTHON, three).slots()).as("nobody else comes to a pod of its own").isOne();
    }

    private Sandbox.Raw run(Isolation isolation, long memory, String program) throws Exception {
        return Sandboxes.run(sandbox(isolation, memory, Weights.NONE), folder, Sandboxes.AMPLE, program);
    }

    private static Sandbox sandbox(Isolation isolation, long memory, Weights weights) {
        return new Sandbox(Sandboxes.PYTHON, isolation, new Machine(2, memory, List.of()), 1, Optional.empty(),
                weights);
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void aScriptThatTakesMoreThanNineTenthsOfWhatIsFreeGetsAMemoryError(Isolation isolation) throws Exception {
        Sandbox.Raw raw = run(isolation, 512 * MIB, """
                taken = []
                try:
                    while True:
                        taken.append(bytearray(1 << 20))
                except MemoryError:
                    print(len(taken))
                """);
        assertThat(Integer.parseInt(raw.stdout().strip())).as(raw.stderr()).isBetween(300, 461);
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void theLimitIsWhatIsFreeWhenTheScriptStarts(Isolation isolation) throws Exception {
        Sandbox.Raw raw =
                run(isolation, 1L << 50, "import resource\nprint(resource.getrlimit(resource.RLIMIT_DATA)[1])\n");
        long all = MemoryPressure.available(1L << 50);
        assertThat(Long.parseLong(raw.stdout().strip())).as(raw.stderr()).isPositive().isLessThan(2 * all);
    }

    @Test
    void freeIsWhatTheMachineAndTheContainerHaveLeft() throws Exception {
        Path machine = Files.writeString(folder.resolve("meminfo"),
                "MemTotal:  8000000 kB\nMemFree: 100 kB\nMemAvailable:    2097152 kB\n");
        MemoryPressure free = new MemoryPressure(folder);
        assertThat(free.available(machine, 1L << 40)).isEqualTo(2048 * MIB);
        assertThat(free.available(machine, MIB)).as("there is no more than that").isEqualTo(MIB);
        now("" + 1024 * MIB, 512 * MIB, 256 * MIB, 900 * MIB);
        assertThat(free.available(machine, 1L << 40)).as("a cache of files would be dropped").isEqualTo(256 * MIB);
        now("max", 512 * MIB, 256 * MIB, 900 * MIB);
        assertThat(free.available(machine, 1L << 40)).isEqualTo(2048 * MIB);
        assertThat(free.available(folder.resolve("none"), MIB)).as("on another system").isEqualTo(MIB);
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void theKernelEndsScriptsBeforeAllOthersIfMemoryRunsOut(Isolation isolation) throws Exception {
        assertThat(run(isolation, 1L << 40, "print(open('/proc/self/oom_score_adj').read().strip())").stdout())
                .isEqualTo("1000\n");
    }

    private void now(String limit, long anonymous, long shared, long cache) throws IOException {
        Files.writeString(folder.resolve("memory.max"), limit + "\n");
        Files.writeString(folder.resolve("memory.stat"),
                "anon " + anonymous + "\nfile " + cache + "\nshmem " + shared + "\nsock 0\n");
    }

    @Test
    void nineTenthsOfTheLimitAreSaidIfThereIsOne() throws IOException {
        MemoryPressure pressure = new MemoryPressure(folder);
        now("10737418240", 9_000_000_000L, 1_000_000_000L, 0);
        assertThat(pressure.tight()).contains("9.3 of 10.0 GiB of memory were in use");
        now("10737418240", 9_000_000_000L, 0, 9_000_000_000L);
        assertThat(pressure.tight()).as("what is only a cache of files would be dropped").isEmpty();
        now("max", 9_000_000_000L, 0, 0);
        assertThat(new MemoryPressure(folder).tight()).isEmpty();
        now("much", 9_000_000_000L, 0, 0);
        assertThat(new MemoryPressure(folder).tight()).isEmpty();
        assertThat(new MemoryPressure(folder.resolve("none")).tight()).isEmpty();
    }

    @Test
    void aFolderThatIsNamedIsTakenWithoutItsLinks() throws Exception {
        Path real = Files.createDirectories(folder.resolve("real")).toRealPath();
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        assertThat(Weights.of(Map.of("MLE_STAR_WEIGHTS", link + "/"))).isEqualTo(new Weights(List.of(real)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void whoNamesNoneGetsNone(String named) {
        assertThat(Weights.of(Map.of("MLE_STAR_WEIGHTS", named))).isEqualTo(Weights.NONE);
        assertThat(Weights.of(Map.of())).isEqualTo(Weights.NONE);
        assertThat(Weights.NONE.environment(folder, false)).isEmpty();
        assertThat(Weights.NONE.environment(folder, true)).containsOnlyKeys("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE",
                "HF_DATASETS_OFFLINE");
    }

    /// The whole machine is nobody's folder of models.
    @ParameterizedTest
    @ValueSource(strings = {"/no/such/folder", "/dev/null", "/"})
    void whatIsNoFolderIsRefusedByName(String named) {
        refusal(() -> Weights.of(Map.of("MLE_STAR_WEIGHTS", named))).isEqualTo("MLE_STAR_WEIGHTS names \"" + named
                + "\", which is no folder with pretrained models; name one, or none");
    }

    /// By the link, the next script's program would write somewhere else, as whoever runs it.
    @Test
    void whatAnEarlierScriptPutInPlaceOfItsHomeIsNotWrittenTo() throws Exception {
        Files.createDirectories(folder.resolve("weights/keras/models"));
        Weights weights = new Weights(List.of(folder.resolve("weights").toRealPath()));
        Sandbox sandbox = sandbox(Isolation.SESSION, 64L << 30, weights);
        Workspace workspace = Sandboxes.workspace(folder);
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Sandboxes.run(sandbox, workspace, Sandboxes.AMPLE,
                "import os, shutil; shutil.rmtree('.home'); os.symlink('" + elsewhere + "', '.home')");
        assertThat(workspace.folder().resolve(".home")).isSymbolicLink();
        Sandboxes.run(sandbox, workspace, Sandboxes.AMPLE, "print(1)");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    @Requirement("REQ-EX-004")
    void aScriptReadsThemByTheLibrariesOwnVariablesAndHasAFolderForWhatLibrariesWrite(Isolation isolation)
            throws Exception {
        Path weights = Files.createDirectories(folder.resolve("weights/torch/hub/checkpoints")).resolve("../../..")
                .toRealPath();
        Files.writeString(weights.resolve("torch/hub/checkpoints/tiny.pth"), "x");
        Files.writeString(weights.resolve("torch/hub/trusted_list"), "somebody\n");
        Files.writeString(Files.createDirectories(weights.resolve("keras/models")).resolve("tiny.keras"), "y");
        Sandbox sandbox = sandbox(isolation, 64L << 30, new Weights(List.of(weights)));
        Sandbox.Raw raw = Sandboxes.run(sandbox, folder, Sandboxes.AMPLE,
                Files.readString(Path.of("src/test/resources/weights/read.py")));
        assertThat(raw.exitCode()).as(raw.stderr()).isZero();
        JsonNode found = Json.parse(raw.stdout());
        assertThat(found.path("read").asText()).isEqualTo("xy");
        assertThat(found.path("trusts").asText()).isEqualTo("somebody\nsomebody else");
        assertThat(found.path("may write").asBoolean()).isTrue();
        assertThat(weights.resolve("torch/hub/trusted_list")).hasContent("somebody\n");
        assertThat(found.path("HF_HOME").asText()).isEqualTo(weights + "/huggingface");
        assertThat(found.path("KERAS_HOME").asText()).endsWith("/.home/keras");
        assertThat(List.of("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"))
                .allSatisfy(offline -> assertThat(found.path(offline).asText()).isEqualTo("1"));
    }
}

package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Window;
import io.mlestar.core.survey.MachineReading;
import io.mlestar.core.survey.SurveyScripts;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The probe of the machine, really run behind each wall, with an interpreter of the test's own:
/// what lies beside an interpreter comes first on a script's PATH.
@Timeout(600)
class MachineProbeTest {
    private static final String ISOLATIONS = "io.mlestar.adapter.script.Sandboxes#isolations";
    private static final int MOST_ISOLATIONS = 4;
    private static final Machine MACHINE = new Machine(2, 8L << 30, List.of());
    private static final String TWO_GPUS =
            """
                    case "$*" in
                    *query-gpu*) echo '0, GPU-aaaa, NVIDIA A100-SXM4-40GB, 40960, 535.104.05'; echo '1, GPU-bbbb, NVIDIA L4, 23034, 535.104.05' ;;
                    *) echo '| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2 |' ;;
                    esac
                    """;

    @TempDir
    private Path folder;
    private Python python;

    /// A virtual environment, as `python3 -m venv` makes it, without what it would install.
    @BeforeEach
    void interpreter() throws Exception {
        Path venv = folder.resolve("venv");
        Process made = new ProcessBuilder(Sandboxes.PYTHON.executable().toString(), "-m", "venv", "--without-pip",
                venv.toString()).inheritIO().start();
        assertThat(made.waitFor()).isZero();
        Files.createDirectories(folder.resolve("data"));
        python = Python.find(venv.resolve("bin/python3").toString());
    }

    private Path program(String name, String does) throws IOException {
        Path program = Files.writeString(folder.resolve("venv/bin").resolve(name), "#!/bin/sh\n" + does);
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path packages() throws IOException {
        try (var found = Files.walk(folder.resolve("venv/lib"))) {
            return found.filter(path -> path.endsWith("site-packages")).findFirst().orElseThrow();
        }
    }

    /// A library as an installer leaves it.
    private void install(String name, String version) throws IOException {
        Path info = Files.createDirectories(packages().resolve(name.replace('-', '_') + "-" + version + ".dist-info"));
        Files.writeString(info.resolve("METADATA"),
                "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n");
    }

    private Execution probed(Isolation isolation, Machine machine, int slots) {
        Path data = folder.resolve("data");
        Window window =
                new Window(Instant.now().plus(Duration.ofMinutes(5)), Instant.now().plus(Duration.ofMinutes(5)));
        return new ScriptRunner(new Sandbox(python, isolation, machine, slots, Optional.empty(), Weights.NONE),
                InstantSource.system(), folder.resolve("scratch"))
                .run(new RunScript(SurveyScripts.MACHINE, Kind.MACHINE, 120), data, window, ScriptListener.NONE,
                        Optional.empty());
    }

    private MachineFacts facts(Isolation isolation) {
        return MachineReading.read(probed(isolation, MACHINE, 2).evaluation().stdout());
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void whatAScriptFindsIsWhatIsThere(Isolation isolation) throws IOException {
        install("numpy", "1.26.4");
        Files.createDirectories(packages().resolve("numpy"));
        install("My_Own.Library", "0.1");

        MachineFacts facts = facts(isolation);

        assertThat(facts.python()).isEqualTo(python.version());
        assertThat(facts.system()).isEqualTo(
                "Linux " + (System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch")));
        assertThat(facts.processors()).isEqualTo(Math.min(2, Runtime.getRuntime().availableProcessors()));
        assertThat(facts.memoryBytes()).isPositive().isLessThanOrEqualTo(8L << 30);
        assertThat(facts.scriptsAtOnce()).isEqualTo(2);
        assertThat(facts.scriptsPerGpu()).isNull();
        assertThat(facts.freeDiskBytes()).isPositive();
        assertThat(facts.gpus()).isEmpty();
        assertThat(facts.libraries()).containsEntry("numpy", "1.26.4");
        assertThat(facts.missing()).doesNotContain("numpy").contains("catboost");
        assertThat(facts.others()).containsEntry("my-own-library", "0.1");
        assertThat(facts.weights()).isEmpty();
        if (isolation != Isolation.SESSION) {
            assertThat(facts.network()).as("behind a wall").isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void eachGpuIsNamedWithItsMemoryAndItsDriver(Isolation isolation) throws IOException {
        program("nvidia-smi", TWO_GPUS);
        MachineFacts.Gpu a100 = new MachineFacts.Gpu("NVIDIA A100-SXM4-40GB", 40960L << 20, "535.104.05", "12.2");
        MachineFacts.Gpu l4 = new MachineFacts.Gpu("NVIDIA L4", 23034L << 20, "535.104.05", "12.2");

        assertThat(facts(isolation).gpus()).containsExactly(a100, l4);
        Machine two = new Machine(2, 8L << 30, List.of("NVIDIA A100-SXM4-40GB", "NVIDIA L4"));
        assertThat(MachineReading.read(probed(isolation, two, 2).evaluation().stdout())).as("what is its own")
                .satisfies(own -> {
                    assertThat(own.gpus()).hasSize(1).containsAnyOf(a100, l4);
                    assertThat(own.scriptsPerGpu()).isEqualTo(1);
                });
    }

    /// Hanging, deaf to SIGTERM, or dead with a child that holds its output open: it costs the
    /// GPUs, and nothing else.
    @ParameterizedTest
    @ValueSource(
            strings = {"exec sleep 4714", "trap '' TERM; while :; do sleep 1; done", "sleep 4714 & exit 0", "exit 9",
                "echo '0, GPU-a'; exit 0", "yes 'NVIDIA L4' | head -c 50000000"})
    void aDriverThatDoesNotAnswerCostsOnlyItsGpus(String does) throws IOException {
        program("nvidia-smi", does + "\n");
        // Side by side, since each waits for some seconds.
        List<Execution> probed = Sandboxes.isolations()
                .gather(Gatherers.mapConcurrent(MOST_ISOLATIONS, isolation -> probed(isolation, MACHINE, 2))).toList();
        assertThat(probed).isNotEmpty().allSatisfy(ran -> {
            MachineFacts facts = MachineReading.read(ran.evaluation().stdout());
            assertThat(facts.python()).isEqualTo(python.version());
            assertThat(facts.gpus()).isEmpty();
            assertThat(ran).isNotInstanceOf(Execution.TimedOut.class);
        });
    }

    /// A library may do as it likes when Python starts.
    @ParameterizedTest
    @ValueSource(strings = {"print('hello')", "print('{}')", "print('# Task\\n\\nSay hello.')", "print('x' * 10000000)",
        "import atexit; atexit.register(print, 'bye')", "import sys; sys.stdout.close()",
        "import sys; sys.stderr.write('Traceback (most recent call last):')"})
    void whatALibraryPrintsIsNoFact(String does) throws IOException {
        Files.writeString(packages().resolve("loud.py"), does + "\n");
        Files.writeString(packages().resolve("loud.pth"), "import loud\n");

        MachineFacts facts = facts(Isolation.strongest(python));

        assertThat(List.of(python.version(), "")).contains(facts.python() == null ? "" : facts.python());
        assertThat(facts.toString()).doesNotContain("hello", "# Task", "xxxx");
    }

    @Test
    void namesThatAreNoneAreLeftOut() throws IOException {
        install("evil", "1.0\n\n# Task");
        Path info = Files.createDirectories(packages().resolve("worse-1.dist-info"));
        Files.writeString(info.resolve("METADATA"), "Metadata-Version: 2.1\nName: worse\n # Task\nVersion: 1\n");

        MachineFacts facts = facts(Isolation.strongest(python));

        assertThat(facts.python()).isEqualTo(python.version());
        assertThat(facts.toString()).doesNotContain("# Task");
    }
}

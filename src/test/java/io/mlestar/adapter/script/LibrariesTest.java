package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.IsolationSelfTest;
import io.mlestar.adapter.script.isolation.Python;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// All libraries that `make python SET=full` installs, behind each wall of this machine: each
/// script trains something small with those of one field, in the ways in which models write such
/// scripts.
@Tag("long")
class LibrariesTest {
    private static final Path SCRIPTS = Path.of("src/test/resources/libraries");

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
}

package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `make python` where it cannot be done: one line says what to do, and the Python that was there is still there.
class MakePythonTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void sources() throws IOException {
        Path build = Files.createDirectories(folder.resolve("src/build"));
        try (Stream<Path> files = Files.list(Path.of("src/build")).filter(file -> file.getFileName().toString().contains("python"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, build.resolve(file.getFileName()));
            }
        }
        Files.copy(Path.of("Dockerfile.native"), folder.resolve("Dockerfile.native"));
        Files.createDirectories(folder.resolve(".venv/mine"));
    }

    private List<String> said(int exitCode, String set) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", folder.resolve("src/build/make-python").toString(), set)
                .redirectError(folder.resolve("err").toFile()).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TORCH_CPU_INDEX", "http://127.0.0.1:1/");
        assertThat(builder.start().waitFor()).isEqualTo(exitCode);
        assertThat(folder).isDirectoryContaining("glob:**/.venv").isDirectoryNotContaining("glob:**/.venv.before");
        assertThat(folder.resolve(".venv/mine")).exists();
        return Files.readAllLines(folder.resolve("err"));
    }

    @Test
    void anUnknownSetIsRefusedWithTheKnownOnes() throws Exception {
        assertThat(said(2, "most")).containsExactly("make python: SET is small, full (as the machine is: cpu or gpu), cpu or gpu, not \"most\"");
    }

    @Test
    @Tag("long")
    void withoutTheIndexOfPyTorchNothingIsMadeAndTheOtherWaysAreNamed() throws Exception {
        assertThat(said(1, "cpu")).singleElement().asString().startsWith("make python: PyTorch without CUDA cannot be had from http://127.0.0.1:1/;")
                .contains("make python SET=cpu TORCH_CPU_INDEX=ADDRESS", "make python SET=gpu");
    }
}

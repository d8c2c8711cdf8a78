package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Subprocess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `make python` where it cannot be done: one line says what to do, and the Python that was there
/// is still there.
class MakePythonTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void sources() throws IOException {
        Path build = Files.createDirectories(folder.resolve("src/build"));
        try (Stream<Path> files =
                Files.list(Path.of("src/build")).filter(file -> file.getFileName().toString().contains("python"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, build.resolve(file.getFileName()));
            }
        }
        Files.copy(Path.of("Dockerfile.native"), folder.resolve("Dockerfile.native"));
        Files.createDirectories(folder.resolve(".venv/mine"));
    }

    private List<String> said(int exitCode, String set) throws Exception {
        return said(exitCode, set, Map.of("TORCH_CPU_INDEX", "http://127.0.0.1:1/"));
    }

    private List<String> said(int exitCode, String set, Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", folder.resolve("src/build/make-python").toString(), set)
                .redirectError(folder.resolve("err").toFile()).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        assertThat(builder.start().waitFor()).isEqualTo(exitCode);
        assertThat(folder).isDirectoryContaining("glob:**/.venv").isDirectoryNotContaining("glob:**/.venv.before");
        assertThat(folder.resolve(".venv/mine")).exists();
        return Files.readAllLines(folder.resolve("err"));
    }

    @Test
    @Tag("long")
    void withoutTheIndexOfPyTorchNothingIsMadeAndTheOtherWaysAreNamed() throws Exception {
        assertThat(said(1, "cpu")).singleElement().asString()
                .startsWith("make python: PyTorch without CUDA cannot be had from http://127.0.0.1:1/;")
                .contains("TORCH_CPU_INDEX=ADDRESS make python SET=cpu", "make python SET=gpu");
    }

    @Test
    void withoutPythonOneLineSaysWhatToInstall() throws Exception {
        assertThat(said(2, "small", Map.of("PYTHON", "python3.99"))).singleElement().asString()
                .matches(
                        "make python: there is no python3.99: ((sudo )?apt-get install python3-venv|install Python 3.11 or newer)"
                                + ", or name another, as in: PYTHON=python3.12 make python");
    }

    /// As Debian's python3 is without python3-venv.
    @Test
    void aPythonThatMakesNoEnvironmentsIsNamedBeforeAnythingIsMade() throws Exception {
        Path python =
                program(folder.resolve("python"), "case $2 in *ensurepip*) echo 'a traceback' >&2; exit 1 ;; esac\n");
        assertThat(said(2, "small", Map.of("PYTHON", python.toString()))).singleElement().asString()
                .startsWith("make python: " + python + " cannot make a virtual environment: ");
    }

    private static Path program(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.setPosixFilePermissions(Files.writeString(file, "#!/bin/sh\n" + text),
                PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// `mlestar python` of an unpacked archive; a stand-in for Python writes down what it would
    /// install.
    @Test
    void anArchiveMakesItsLockedLibrariesBesideItsLauncher() throws Exception {
        Path archive = folder.resolve("mlestar 1");
        try (Stream<Path> files = Files.list(folder.resolve("src/build"))) {
            Path lib = Files.createDirectories(archive.resolve("lib"));
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, lib.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Files.copy(Path.of("mlestar"), archive.resolve("mlestar"), StandardCopyOption.COPY_ATTRIBUTES);
        // The launcher's program, which starts the script that the launcher names.
        program(archive.resolve("lib/mlestar-runner"), "shift; exec \"$MLE_STAR_MAKE_PYTHON\" \"$@\"\n");
        Path pip = program(folder.resolve("pip"), "echo \"$@\" >> asked\n");
        Path openMp = Files.createFile(folder.resolve("libgomp"));
        Path python = program(folder.resolve("python"), """
                case $2 in *lightgbm*) exec test -e "%s" ;; esac
                [ "$1" = -c ] && exit 0
                mkdir -p .venv/bin && cp "%s" .venv/bin/pip && cp "$0" .venv/bin/python
                """.formatted(openMp, pip));
        Map<String, String> environment = Map.of("PYTHON", python.toString());
        String launcher = archive.resolve("mlestar").toString();
        assertThat(Subprocess.run(folder, environment, launcher, "python", "small").wellEnded())
                .contains("mlestar python: .venv is made of lib/python-small.lock");
        assertThat(archive.resolve("asked")).content()
                .contains("--only-binary :all: --require-hashes -r lib/python-small.lock");
        assertThat(Subprocess.run(folder, environment, launcher, "python", "small").wellEnded())
                .isEqualTo(".venv is ready\n");
        Files.delete(openMp);
        Subprocess bare = Subprocess.run(folder, environment, launcher, "python", "small");
        assertThat(bare.exitCode()).isOne();
        assertThat(bare.said()).matches(
                "mlestar python: lightgbm of .venv cannot be loaded: ((sudo )?apt-get install libgomp1|install libgomp)\n");
        assertThat(Subprocess.run(folder, environment, launcher, "python", "most").exitCode()).isEqualTo(2);
        assertThat(archive.resolve(".venv/made-of.lock"))
                .hasSameBinaryContentAs(Path.of("src/build/python-small.lock"));
    }
}

package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class PythonTest {
    @TempDir
    private Path folder;

    /// A program that answers as an interpreter of this version would.
    private Path fake(String answer) throws IOException {
        Path program = Files.writeString(folder.resolve("python"), "#!/bin/sh\n" + answer + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void findsTheProgramBehindAName() {
        Python python = Python.find("python3");
        assertThat(python.executable()).isAbsolute().isExecutable();
        assertThat(python.version()).matches("3\\.\\d+\\..*");
        assertThat(python.prefixes()).doesNotHaveDuplicates().allSatisfy(prefix -> assertThat(prefix).isDirectory());
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-such-python", "/no/such/python", "false", "true", "echo", "/etc"})
    void whatIsNoInterpreterIsNamed(String command) {
        assertThatThrownBy(() -> Python.find(command)).isInstanceOf(Invalid.class)
                .hasMessageContaining("\"" + command + "\"")
                .hasMessageContaining("MLE_STAR_PYTHON");
    }

    @ParameterizedTest
    @Requirement("REQ-DM-047")
    @ValueSource(strings = {"2.7.18", "3.8.19", "3.9.25"})
    void anOldInterpreterIsRefusedByItsVersion(String version) throws IOException {
        Path old = fake("echo '[\"/usr/bin/python\", \"%s\", \"/usr\", \"/usr\"]'".formatted(version));
        assertThatThrownBy(() -> Python.find(old.toString())).isInstanceOf(Invalid.class).hasMessageContaining(version)
                .hasMessageContaining("3.10 or newer").hasMessageContaining(old.toString());
    }

    @ParameterizedTest
    @Requirement("REQ-DM-047")
    @ValueSource(strings = {"3.10.0", "3.14.0rc1", "4.0.0"})
    void aNewInterpreterWillDo(String version) throws IOException {
        Path python = fake("echo '[\"/opt/py/bin/python\", \"%s\", \"/opt/venv\", \"/opt/py\"]'".formatted(version));
        assertThat(Python.find(python.toString()).version()).isEqualTo(version);
        assertThat(Python.find(python.toString()).prefixes()).containsExactly(Path.of("/opt/venv"), Path.of("/opt/py"));
    }

    @Test
    void theSystemsFoldersAreNoPrefixesOfTheirOwn() throws IOException {
        Path python = fake("echo '[\"/usr/bin/python3\", \"3.12.1\", \"/usr\", \"/usr\"]'");
        assertThat(Python.find(python.toString()).prefixes()).isEmpty();
    }

    @Test
    void anInterpreterThatHangsIsNamedInTime() throws IOException {
        Path python = fake("exec sleep 4713");
        assertThatThrownBy(() -> Python.find(python.toString(), Duration.ofSeconds(1))).isInstanceOf(Invalid.class)
                .hasMessageContaining(python.toString());
    }
}

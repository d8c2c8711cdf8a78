package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Subprocess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Java that the launcher starts, which need not be the default one.
class FindJdkTest {
    @TempDir
    private Path folder;

    private Path program(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.setPosixFilePermissions(Files.writeString(file, "#!/bin/sh\n" + text + "\n"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path java(String home, int version) throws IOException {
        return program(home + "/bin/java", "echo '    java.specification.version = " + version + "' >&2");
    }

    /// Where the machine's own folders of Java are not looked at.
    private Subprocess found() throws Exception {
        Path script = program("find-jdk", Files.readString(Path.of("src/build/find-jdk")).replace("/usr/lib/jvm/* /opt/java/* /opt/jdk*", ""));
        String path = folder.resolve("old/bin") + ":" + System.getenv("PATH");
        return Subprocess.run(folder, Map.of("PATH", path, "HOME", folder.toString(), "JAVA_HOME", ""), "sh", script.toString(), "--java");
    }

    @Test
    void aNewJavaIsFoundBehindAnOldDefault() throws Exception {
        java("old", 17);
        java(".sdkman/candidates/java/24", 24);
        Path found = java(".sdkman/candidates/java/25", 25);
        assertThat(found().wellEnded()).isEqualTo(found + "\n");
    }

    @Test
    void withoutOneALineSaysWhatToInstall() throws Exception {
        java("old", 17);
        program("old/bin/apt-get", "exit 1");
        Subprocess ended = found();
        assertThat(ended.exitCode()).isOne();
        assertThat(ended.said()).contains("mlestar: there is no Java 25 or newer: sudo apt-get install openjdk-25-jre-headless, or set JAVA_HOME to one");
    }
}

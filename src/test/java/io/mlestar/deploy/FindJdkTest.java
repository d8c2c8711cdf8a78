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

/// The Java that the launcher starts, which need not be the default one, and the compiler of native
/// programs.
class FindJdkTest {
    @TempDir
    private Path folder;

    private Path program(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.setPosixFilePermissions(Files.writeString(file, "#!/bin/sh\n" + text + "\n"),
                PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path java(String home, int version) throws IOException {
        return program(home + "/bin/java", "echo '    java.specification.version = " + version + "' >&2");
    }

    /// Where the machine's own folders of Java are not looked at.
    private Subprocess found(String name) throws Exception {
        Path script = program(name,
                Files.readString(Path.of("src/build", name)).replace("/usr/lib/jvm/* /opt/java/* /opt/jdk*", ""));
        return Subprocess.run(folder,
                Map.of("PATH", folder.resolve("old/bin") + ":" + System.getenv("PATH"), "HOME", folder.toString(),
                        "JAVA_HOME", "", "GRAALVM_HOME",
                        "", "XDG_CACHE_HOME", ""),
                "sh", script.toString(), "--java");
    }

    private Subprocess found() throws Exception {
        return found("find-jdk");
    }

    @Test
    void aNewJavaIsFoundBehindAnOldDefault() throws Exception {
        java("old", 17);
        java(".sdkman/candidates/java/24", 24);
        Path found = java(".sdkman/candidates/java/25", 25);
        assertThat(found().wellEnded()).isEqualTo(found + "\n");
    }

    @Test
    void withoutOneALineSaysWhatToInstallIfThePackagesHaveIt() throws Exception {
        java("old", 17);
        program("old/bin/apt-cache", "[ \"$*\" = 'show openjdk-25-jre-headless' ]");
        program("old/bin/id", "echo 1000");
        assertThat(found()).isEqualTo(new Subprocess(1,
                "mlestar: there is no Java 25 or newer: sudo apt-get install openjdk-25-jre-headless, or set JAVA_HOME to one\n"));
        program("old/bin/id", "echo 0");
        assertThat(found().said()).contains("newer: apt-get install");
        // As on Debian 12, and where no list of packages was fetched yet.
        program("old/bin/apt-cache", "echo 'E: No packages found' >&2; exit 100");
        program("old/bin/dnf", "exit 1");
        assertThat(found().said()).contains("newer: dnf install java-25-openjdk-headless,");
    }

    @Test
    void whereNoPackagesHaveOneTheLineNamesAFolderThatIsLookedAt() throws Exception {
        java("old", 17);
        program("old/bin/apt-cache", "exit 100");
        assertThat(found().said())
                .matches("mlestar: there is no Java 25 or newer: (unpack one of https://adoptium.net in " + folder
                        + "/.jdks|(sudo )?dnf install .*|brew install .*), or set JAVA_HOME to one\n");
        Path found = java(".jdks/jdk-25.0.1+8", 25);
        assertThat(found().wellEnded()).isEqualTo(found + "\n");
    }

    @Test
    void aGraalvmIsFoundInTheCacheFolderBehindAnOldOne() throws Exception {
        program("old/bin/native-image", "echo native-image 24");
        Path found = program(".cache/mlestar/graalvm/bin/native-image", "echo native-image 25.0.2 2026-01-20");
        assertThat(found("find-graalvm").wellEnded()).isEqualTo(found.getParent().getParent() + "\n");
    }
}

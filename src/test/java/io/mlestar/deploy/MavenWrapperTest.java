package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Subprocess;
import io.mlestar.core.base.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mvnw` on a machine without unzip, as images of systems are: it then fetches Maven as a .tar.gz,
/// whose sum is another than the zip's.
class MavenWrapperTest {
    private static final List<String> TOOLS =
            List.of("basename", "cp", "dirname", "gzip", "ls", "mkdir", "mktemp", "mv", "rm", "sh", "sha256sum", "tar",
                    "tr", "uname");
    @TempDir
    private Path folder;

    private void program(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.setPosixFilePermissions(Files.writeString(file, "#!/bin/sh\n" + text + "\n"),
                PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Subprocess started(String sumOfTar) throws Exception {
        Path properties = folder.resolve(".mvn/wrapper/maven-wrapper.properties");
        Files.createDirectories(properties.getParent());
        Files.writeString(properties,
                "distributionUrl=https://repo.invalid/org/apache/maven/apache-maven/9.9.9/apache-maven-9.9.9-bin.zip\n"
                        + "distributionSha256Sum=" + "0".repeat(64) + "\n" + sumOfTar);
        Path wrapper = Files.copy(Path.of("mvnw"), folder.resolve("mvnw"), StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
        return Subprocess.run(folder, Map.of("PATH", folder.resolve("bin").toString(), "HOME", folder.toString()),
                wrapper.toString(), "--version");
    }

    @Test
    void withoutUnzipTheOtherArchiveIsHeldToASumOfItsOwn() throws Exception {
        program("apache-maven-9.9.9/bin/mvn", "echo this is Maven");
        Path archive = folder.resolve("maven.tar.gz");
        Subprocess.run(folder, Map.of(), "tar", "-czf", archive.toString(), "apache-maven-9.9.9").wellEnded();
        program("bin/wget", "case $2 in *-bin.tar.gz) exec cp \"" + archive + "\" \"$4\" ;; esac");
        for (String tool : TOOLS) {
            Path real = Path.of(Subprocess.run(folder, Map.of(), "sh", "-c", "command -v " + tool).wellEnded().strip());
            Files.createSymbolicLink(folder.resolve("bin").resolve(tool), real);
        }
        byte[] content = Files.readAllBytes(archive);
        assertThat(started("distributionTarSha256Sum=" + "1".repeat(64) + "\n").said())
                .contains("Failed to validate Maven distribution");
        assertThat(started("").said()).contains("the sum of apache-maven-9.9.9-bin.tar.gz");
        assertThat(started("distributionTarSha256Sum=" + Sha256.hex(content) + "\n").wellEnded())
                .contains("this is Maven");
    }
}

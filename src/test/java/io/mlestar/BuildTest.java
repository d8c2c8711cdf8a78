package io.mlestar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a contributor types first, on a machine whose usual Java is an older one; a `make` that
/// started the tests is none of its parents.
class BuildTest {
    @TempDir
    private Path old;

    private String said(String... command) throws IOException, InterruptedException {
        Path java = Files.createDirectories(old.resolve("bin")).resolve("java");
        Files.writeString(java,
                "#!/bin/sh\necho '    java.specification.version = 17'\n[ \"$1\" = -XshowSettings:properties ]\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.copy(java, old.resolve("bin/javac"), StandardCopyOption.REPLACE_EXISTING);
        return Subprocess.said(Map.of("MAKEFLAGS", "", "TEST", "", "IT", "", "JAVA_HOME", old.toString(),
                "PATH", System.getProperty("java.home") + "/bin:" + System.getenv("PATH")), command);
    }

    @Test
    void theWrapperFindsTheJdkWhereverItIs() throws Exception {
        assertThat(said("./mvnw", "-o", "-v")).contains("Java version: " + Runtime.version().feature());
    }

    @Test
    void makeRunsTheTestsThatAreNamed() throws Exception {
        assertThat(said("make", "-n", "test", "TEST=ReplayTest,GateTest")).contains("test -Dtest='ReplayTest,GateTest'")
                .doesNotContain("verify");
        assertThat(said("make", "-n", "test", "IT=KillIT")).contains("verify", "-Dit.test='KillIT'");
        assertThat(said("make", "-n", "test")).contains("verify -Plint").doesNotContain("-Dtest", "-Dit.test");
    }
}

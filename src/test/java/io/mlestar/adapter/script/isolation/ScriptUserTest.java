package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.adapter.script.Sandboxes;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.core.step.RunScript;
import io.mlestar.show.log.Ear;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// As whom scripts run, and that it is said.
@Timeout(300)
class ScriptUserTest {
    private static final String ISOLATIONS = "io.mlestar.adapter.script.Sandboxes#isolations";

    @TempDir
    private Path folder;

    private Path data;

    @BeforeEach
    void layOut() throws IOException {
        assumeTrue(Files.getAttribute(folder, "unix:uid").equals(0), "not root");
        assumeTrue(ScriptUser.whyRoot(Isolation.BUBBLEWRAP, Path.of("/tmp/x"), List.of(), Sandboxes.PYTHON).isEmpty(),
                "no script can be a guest here");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id\n1\n");
    }

    private List<String> warnings(Isolation isolation) {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (Ear ear = new Ear("mle_star.sandbox", line -> heard.add(line.getMessage()))) {
            ScriptRunner runner = new ScriptRunner(Sandboxes.of(isolation), InstantSource.system());
            runner.runAlone(new RunScript("print('machine')", RunScript.Kind.MACHINE, 60), data);
            runner.runAlone(new RunScript("print('solution')", RunScript.Kind.SOLUTION, 60), data);
        }
        return heard.stream().filter(line -> line.contains("uid 0")).toList();
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void scriptsThatStayRootsAreSaidOnceInARunWithTheReason(Isolation isolation) throws IOException {
        assumeTrue(isolation == Isolation.BUBBLEWRAP || warnings(isolation).isEmpty(),
                "the way to the interpreter is closed to others");
        assertThat(warnings(isolation)).isEmpty();
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        assertThat(warnings(isolation)).containsExactly(
                "scripts run as uid 0, without its rights, because others may not read " + data.toRealPath());
    }
}

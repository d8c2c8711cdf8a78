package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.mlestar.Requirement;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.Sandboxes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// How far each kind of isolation shuts a script in; skipped for those that this machine does not have.
@Timeout(300)
class IsolationTest {
    private static final String ISOLATIONS = "io.mlestar.adapter.script.Sandboxes#isolations";

    @TempDir
    private Path folder;

    private String output(Isolation isolation, String program) throws Exception {
        assumeTrue(Sandboxes.works(isolation), isolation + " does not work here");
        Sandbox.Raw raw = Sandboxes.run(Sandboxes.of(isolation), folder, Sandboxes.AMPLE, program);
        assertThat(raw.exitCode()).as(raw.stderr()).isZero();
        return raw.stdout().strip();
    }

    @Test
    void theStrongestThatHoldsIsChosen() {
        assertThat(Isolation.strongest(Sandboxes.PYTHON)).isEqualTo(Sandboxes.isolations()
                .filter(isolation -> IsolationSelfTest.of(isolation, Sandboxes.PYTHON).holds()).min(Enum::compareTo).orElse(Isolation.SESSION));
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void theNetworkIsCutUnlessItIsSaidToBeThere(Isolation isolation) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        try {
            String reached = output(isolation, """
                    import socket
                    try:
                        socket.create_connection(('127.0.0.1', %d), 10).close()
                        print('reached')
                    except OSError:
                        print('cut')
                    """.formatted(server.getAddress().getPort()));
            assertThat(reached).isEqualTo(IsolationSelfTest.of(isolation, Sandboxes.PYTHON).missing().contains("network") ? "reached" : "cut");
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BUBBLEWRAP", "NAMESPACES"})
    void otherProcessesAreNotSeen(Isolation isolation) throws Exception {
        String seen = output(isolation, """
                import os
                for pid in filter(str.isdigit, os.listdir('/proc')):
                    print(open('/proc/' + pid + '/cmdline').read().replace(chr(0), ' '))
                """);
        assertThat(seen.lines()).isNotEmpty().allMatch(line -> line.contains("solution.py"));
    }

    @Test
    void filesOutsideAreNotReadInABubble() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "the secret");
        List<String> hidden = List.of(secret.toString(), "/etc/passwd", "/etc/shadow", System.getProperty("user.dir") + "/pom.xml",
                System.getProperty("user.home"), "/var", "/root/.ssh");
        String found = output(Isolation.BUBBLEWRAP, """
                import os
                for path in '%s'.split(';'):
                    if os.path.isfile(path) or os.path.isdir(path) and any(not os.path.isdir(os.path.join(path, f)) for f in os.listdir(path)):
                        print(path)
                """.formatted(String.join(";", hidden)));
        assertThat(found).isEmpty();
    }

    @Test
    void otherWorkspacesAreNotSeenInABubble() throws Exception {
        Workspace other = Sandboxes.workspace(folder);
        Files.writeString(other.submission(), "id,x\n1,2\n");
        assertThat(output(Isolation.BUBBLEWRAP, "import os\nprint(os.path.exists('%s'))".formatted(other.folder()))).isEqualTo("False");
    }

    @Test
    @Requirement("REQ-EX-001")
    void theDataIsReadAndNotChangedInABubble() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path train = Files.writeString(data.resolve("train.csv"), "id\n1\n");
        String said = output(Isolation.BUBBLEWRAP, """
                import os, shutil
                print(open('input/train.csv').read().split())
                for harm in (lambda: open('input/train.csv', 'w'), lambda: open('input/more.csv', 'w'), lambda: os.remove('input/train.csv'),
                             lambda: os.rename('input/train.csv', 'input/x'), lambda: os.chmod('input/train.csv', 0o777),
                             lambda: shutil.rmtree(os.path.realpath('input'))):
                    try:
                        harm()
                        print('done')
                    except OSError:
                        print('refused')
                """);
        assertThat(said.lines()).containsExactly("['id', '1']", "refused", "refused", "refused", "refused", "refused", "refused");
        assertThat(train).hasContent("id\n1\n");
        assertThat(data).isDirectoryNotContaining(file -> !file.equals(train));
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void theInterpreterAndItsLibraryAreThere(Isolation isolation) throws Exception {
        String said = output(isolation, """
                import csv, json, math, multiprocessing, os, random, subprocess, sys, tempfile
                with tempfile.NamedTemporaryFile() as file:
                    file.write(b'x')
                print(sys.version.split()[0], subprocess.run(['/bin/sh', '-c', 'echo shell'], capture_output=True, text=True).stdout.strip())
                """);
        assertThat(said).isEqualTo(Sandboxes.PYTHON.version() + " shell");
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void workersInProcessesOfTheirOwnDoTheirWork(Isolation isolation) throws Exception {
        assertThat(output(isolation, """
                import concurrent.futures, math
                if __name__ == '__main__':
                    with concurrent.futures.ProcessPoolExecutor(2) as pool:
                        print(sum(pool.map(math.factorial, range(5))))
                """)).isEqualTo("34");
    }
}

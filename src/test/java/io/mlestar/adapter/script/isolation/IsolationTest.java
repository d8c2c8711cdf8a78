package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.Sandboxes;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What a script may do behind each wall of this machine; what it may not,
/// [io.mlestar.adapter.script.AttacksTest] tries.
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
                .filter(isolation -> IsolationSelfTest.of(isolation, Sandboxes.PYTHON).holds()).min(Enum::compareTo)
                .orElse(Isolation.SESSION));
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void theInterpreterAndItsLibraryAreThere(Isolation isolation) throws Exception {
        String said = output(isolation,
                """
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

    /// PyTorch names a folder after the user when torchvision is imported; joblib and PyTorch look
    /// up the processors.
    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void aScriptHasAUserWithANameAndSeesTheProcessorsAndThePublicCertificates(Isolation isolation) throws Exception {
        assertThat(output(isolation,
                """
                        import getpass, os, ssl
                        print(getpass.getuser(), open('/sys/devices/system/cpu/possible').read())
                        paths = ssl.get_default_verify_paths()
                        for path in paths.openssl_cafile, paths.openssl_capath:
                            if os.path.exists(path):
                                ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(**{'capath' if os.path.isdir(path) else 'cafile': path})
                                os.path.isdir(path) and os.listdir(path)
                        """))
                .startsWith("script 0");
    }
}

package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.script.isolation.Isolation;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What libraries take for granted around a script, and find behind every wall.
@Timeout(300)
class SurroundingsTest {
    @TempDir
    private Path folder;

    /// PyTorch names a folder after the user when torchvision is imported; joblib and PyTorch look up the processors.
    @ParameterizedTest
    @MethodSource("io.mlestar.adapter.script.Sandboxes#isolations")
    void aScriptHasAUserWithANameAndSeesTheProcessorsAndThePublicCertificates(Isolation isolation) throws Exception {
        Sandbox.Raw raw = Sandboxes.run(Sandboxes.of(isolation), folder, Sandboxes.AMPLE, """
                import getpass, os, ssl
                print(getpass.getuser(), open('/sys/devices/system/cpu/possible').read())
                paths = ssl.get_default_verify_paths()
                for path in paths.openssl_cafile, paths.openssl_capath:
                    if os.path.exists(path):
                        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(**{'capath' if os.path.isdir(path) else 'cafile': path})
                        os.path.isdir(path) and os.listdir(path)
                """);
        assertThat(raw.stdout()).as(raw.stderr()).startsWith("script 0");
        assertThat(raw.stderr()).isEmpty();
    }
}

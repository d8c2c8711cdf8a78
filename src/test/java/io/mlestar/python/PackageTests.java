package io.mlestar.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/// Processes that try the Python package: its own tests, in a Python, against the built program.
final class PackageTests {
    static final Path SOURCES = Path.of("src/python").toAbsolutePath();

    private PackageTests() {}

    /// @return what the tests said
    static String run(String python, Map<String, String> environment) throws IOException, InterruptedException {
        return said(environment, python, "-m", "unittest", "discover", "--verbose", "--start-directory", SOURCES.resolve("tests").toString());
    }

    /// Runs a process that must end well.
    ///
    /// @return what it wrote
    static String said(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("MLE_STAR_") || variable.equals("K_SERVICE"));
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().put("MLESTAR_PROJECT", Path.of("").toAbsolutePath().toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}

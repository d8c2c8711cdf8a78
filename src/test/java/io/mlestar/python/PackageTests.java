package io.mlestar.python;

import io.mlestar.Subprocess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
        Map<String, String> all = new HashMap<>(Map.of("PYTHONDONTWRITEBYTECODE", "1", "MLESTAR_PROJECT", Path.of("").toAbsolutePath().toString()));
        all.putAll(environment);
        return Subprocess.said(all, command);
    }

    /// A fresh environment of Python with packages of the index; empty if the index cannot be reached.
    static Optional<String> environment(Path folder, String... packages) throws IOException, InterruptedException {
        said(Map.of(), "python3", "-m", "venv", folder.toString());
        String python = folder.resolve("bin/python").toString();
        String[] pip = {python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"};
        String[] command = Stream.of(pip, packages).flatMap(Stream::of).toArray(String[]::new);
        return Subprocess.run(folder, Map.of(), command).exitCode() == 0 ? Optional.of(python) : Optional.empty();
    }
}

package io.mlestar.python;

import io.mlestar.Installed;
import io.mlestar.Subprocess;
import module java.base;

/// Processes that try the Python package: its own tests, in a Python, against the built program.
public final class PackageTests {
    static final Path SOURCES = Path.of("src/python").toAbsolutePath();

    private PackageTests() {}

    /// @return what the tests said
    static String run(String python, Map<String, String> environment) throws IOException, InterruptedException {
        return said(environment, python, "-m", "unittest", "discover", "--verbose", "--start-directory",
                SOURCES.resolve("tests").toString());
    }

    /// Runs a process that must end well.
    ///
    /// @return what it wrote
    static String said(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>(
                Map.of("PYTHONDONTWRITEBYTECODE", "1", "MLESTAR_PROJECT", Path.of("").toAbsolutePath().toString()));
        all.putAll(environment);
        return Subprocess.said(all, command);
    }

    /// A fresh environment of Python.
    ///
    /// @return its interpreter
    /// @throws org.opentest4j.TestAbortedException if Python has no `venv` with `pip`, as Debian's
    static String venv(Path folder) throws IOException, InterruptedException {
        boolean made = Subprocess.run(folder.getParent(), Map.of(), "python3", "-m", "venv", folder.toString())
                .exitCode() == 0;
        Installed.assume(made, "venv of Python", "no package is installed");
        return folder.resolve("bin/python").toString();
    }

    /// A fresh environment as above, with packages of the index.
    ///
    /// @throws org.opentest4j.TestAbortedException if the index cannot be reached
    public static String environment(Path folder, String... packages) throws IOException, InterruptedException {
        String python = venv(folder);
        String[] pip =
                {python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"};
        String[] command = Stream.of(pip, packages).flatMap(Stream::of).toArray(String[]::new);
        Installed.assume(Subprocess.run(folder, Map.of(), command).exitCode() == 0, String.join(", ", packages),
                "what needs them is not tested");
        return python;
    }
}

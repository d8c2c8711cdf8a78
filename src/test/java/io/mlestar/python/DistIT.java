package io.mlestar.python;

import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Python package as it lies in the sources, against the built program and a server of it; and
/// as users get it: built, and installed where nothing else is.
class DistIT {
    private static final Map<String, String> SOURCES = Map.of("PYTHONPATH", PackageTests.SOURCES.toString());

    @TempDir
    private Path folder;

    private static Path built(String ending) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target/dist"))) {
            return files.filter(file -> file.toString().endsWith(ending)).reduce((one, other) -> {
                throw new AssertionError(one + " and " + other);
            }).orElseThrow().toAbsolutePath();
        }
    }

    /// A fresh environment with that package.
    private String installed(Path built, String... options) throws Exception {
        String python = PackageTests.venv(folder.resolve(built.getFileName() + "-python"));
        String[] pip = {python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"};
        PackageTests.said(Map.of(),
                Stream.of(pip, options, new String[] {built.toString()}).flatMap(Stream::of).toArray(String[]::new));
        return python;
    }

    @Test
    void theCellsOfTheNotebookRunInOrder() throws Exception {
        assertThat(PackageTests.said(SOURCES, "python3", PackageTests.SOURCES.resolve("tests/notebook.py").toString()))
                .contains("all cells have run", "completed");
    }

    @Test
    @Tag("long")
    void wheelAndSdistAreBuiltAndTheWheelPassesTheTestsWhereverItIsInstalled() throws Exception {
        PackageTests.venv(folder.resolve("tried"));
        PackageTests.said(Map.of(), "src/build/make-dist");
        String python = installed(built(".whl"), "--no-index");
        assertThat(PackageTests.run(python, Map.of())).containsPattern("(?m)^OK");
        String where =
                "import mlestar, pathlib; print(mlestar.__file__, (pathlib.Path(mlestar.__file__).parent / 'py.typed').exists())";
        assertThat(PackageTests.said(Map.of(), python, "-c", where)).contains("site-packages").contains("True");
        assertThat(PackageTests.said(Map.of(), installed(built(".tar.gz")), "-c", where)).contains("site-packages")
                .contains("True");
    }

    @Test
    @Tag("long")
    void thePackagesOwnTestsPass() throws Exception {
        String said = PackageTests.run("python3", SOURCES);
        said.lines().filter(line -> line.contains("skipped")).forEach(System.out::println);
        assertThat(said)
                .contains("test_a_run_has_a_result_a_submission_and_a_script",
                        "test_a_run_is_started_watched_read_and_forked")
                .containsPattern("(?m)^OK");
    }

    /// Needs the clients from the index; the tests above ask what stands for them.
    @Test
    @Tag("long")
    void runsAreTrackedByTheClientsOfMlflowAndWeightsAndBiases() throws Exception {
        String python = PackageTests.environment(folder.resolve("python"), "mlflow-skinny", "wandb");
        Map<String, String> environment = new HashMap<>(SOURCES);
        environment.putAll(Map.of("MLFLOW_DISABLE_TELEMETRY", "true", "DO_NOT_TRACK", "true"));
        assertThat(PackageTests.said(environment, python, "-m", "unittest", "discover", "--verbose", "--pattern",
                "test_track.py", "--start-directory",
                PackageTests.SOURCES.resolve("tests").toString()))
                .contains("test_track.MlflowTest", "test_track.WandbTest").doesNotContain("skipped");
    }
}

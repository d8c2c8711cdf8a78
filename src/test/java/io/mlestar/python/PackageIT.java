package io.mlestar.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Python package as it lies in the sources, by plain `python3`, against the built program and
/// a server of it.
class PackageIT {
    @TempDir
    private Path folder;

    @Test
    @Tag("long")
    void thePackagesOwnTestsPass() throws Exception {
        String said = PackageTests.run("python3", Map.of("PYTHONPATH", PackageTests.SOURCES.toString()));
        said.lines().filter(line -> line.contains("skipped")).forEach(System.out::println);
        assertThat(said)
                .contains("test_a_run_has_a_result_a_submission_and_a_script",
                        "test_a_run_is_started_watched_read_and_forked")
                .containsPattern("(?m)^OK");
    }

    /// Where the index has them; the tests above ask what stands for them.
    @Test
    @Tag("long")
    void runsAreTrackedByTheClientsOfMlflowAndWeightsAndBiases() throws Exception {
        String python = PackageTests.environment(folder.resolve("python"), "mlflow-skinny", "wandb");
        Map<String, String> environment = Map.of("PYTHONPATH", PackageTests.SOURCES.toString(),
                "MLFLOW_DISABLE_TELEMETRY", "true", "DO_NOT_TRACK", "true");
        assertThat(PackageTests.said(environment, python, "-m", "unittest", "discover", "--verbose", "--pattern",
                "test_track.py", "--start-directory",
                PackageTests.SOURCES.resolve("tests").toString()))
                .contains("test_track.MlflowTest", "test_track.WandbTest").doesNotContain("skipped");
    }
}

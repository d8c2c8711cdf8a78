package io.mlestar.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The Python package as it lies in the sources, by plain `python3`, against the built program and a server of it.
class PackageIT {
    @Test
    @Tag("long")
    void thePackagesOwnTestsPass() throws Exception {
        String said = PackageTests.run("python3", Map.of("PYTHONPATH", PackageTests.SOURCES.toString()));
        said.lines().filter(line -> line.contains("skipped")).forEach(System.out::println);
        assertThat(said).contains("test_a_run_has_a_result_a_submission_and_a_script", "test_a_run_is_started_watched_read_and_forked")
                .containsPattern("(?m)^OK");
    }
}

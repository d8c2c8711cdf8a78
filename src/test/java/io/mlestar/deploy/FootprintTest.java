package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.ProjectFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FootprintTest {
    @Test
    void theGuideShowsWhatIsCounted() {
        assertThat(
                String.join("\n", ProjectFiles.below(Path.of("docs"), ".md").stream().map(ProjectFiles::text).toList()))
                .as("run 'make footprint'")
                .contains(String.join("\n", Footprint.lines()));
    }

    @Test
    void smallHasLessThanATenthOfTheServicesOfFull() {
        assertThat(services("small")).isEqualTo(3);
        assertThat(services("full")).isGreaterThan(10 * services("small"));
    }

    /// With the Kafka broker each is a group of consumers, so the profile saves none.
    @Test
    void smallHasAsManyTriggersAsFull() {
        assertThat(number("small", 4)).isEqualTo(number("full", 4)).isGreaterThan(30);
        assertThat(number("one", 4)).isZero();
    }

    @Test
    void aScriptCountsInARunAndNotAtRest() {
        assertThat(column("small", 6)).contains("0.05 CPU");
        assertThat(column("small", 7)).contains("4.15 CPU");
    }

    private static int services(String profile) {
        return number(profile, 3);
    }

    private static int number(String profile, int column) {
        return Integer.parseInt(column(profile, column));
    }

    private static String column(String profile, int column) {
        return Footprint.lines().stream().filter(line -> line.startsWith("| `" + profile + "` |"))
                .map(line -> line.split("\\|")[column].strip()).findFirst().orElseThrow();
    }
}

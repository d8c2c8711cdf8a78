package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.ProjectFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FootprintTest {
    @Test
    void theGuideShowsWhatIsCounted() {
        assertThat(String.join("\n", ProjectFiles.below(Path.of("docs"), ".md").stream().map(ProjectFiles::text).toList())).as("run 'make footprint'")
                .contains(String.join("\n", Footprint.lines()));
    }

    @Test
    void smallHasLessThanATenthOfTheServicesOfFull() {
        assertThat(services("small")).isEqualTo(3);
        assertThat(services("full")).isGreaterThan(10 * services("small"));
    }

    private static int services(String profile) {
        return Footprint.lines().stream().filter(line -> line.startsWith("| `" + profile + "` |"))
                .mapToInt(line -> Integer.parseInt(line.split("\\|")[3].strip())).findFirst().orElseThrow();
    }
}

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

    private static String column(String profile, int column) {
        return Footprint.lines().stream().filter(line -> line.startsWith("| `" + profile + "` |"))
                .map(line -> line.split("\\|")[column].strip()).findFirst().orElseThrow();
    }
}

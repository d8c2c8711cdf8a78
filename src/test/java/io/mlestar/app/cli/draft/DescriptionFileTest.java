package io.mlestar.app.cli.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptionFileTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(folder.resolve("shop/input"));
    }

    private Optional<DescriptionFile> found(String data) {
        return DescriptionFile.with(DataPlace.of(folder.resolve(data), null), folder.resolve(data));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none",
            value = {"shop/input/description.md, Predict., description.md",
                "shop/Description.TXT, Predict., Description.TXT",
                "shop/README.md, Evaluated on the error of logarithms (RMSLE)., README.md",
                "shop/README.md, Column a is a price., none",
                "description.md, Of something else., none", "shop/input/description.md, ' ', none"})
    void theTextOfACompetitionIsFoundWithTheDataOrBesideTheirFolder(String file, String text, String found)
            throws IOException {
        Files.writeString(folder.resolve(file), text);
        assertThat(found("shop/input").map(DescriptionFile::name)).isEqualTo(Optional.ofNullable(found));
    }

    @Test
    void aTextThatIsNotUtf8IsNamed() throws IOException {
        Files.write(folder.resolve("shop/description.md"), "Größe".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> found("shop")).isInstanceOf(Invalid.class)
                .hasMessageMatching("the description .*description\\.md cannot be read: it is not UTF-8 text");
    }
}

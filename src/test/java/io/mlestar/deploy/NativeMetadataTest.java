package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What a native image is told by hand: all of it is there. That it suffices is for whole-program
/// tests with the native program to say.
class NativeMetadataTest {
    private static final Path FILE =
            Path.of("src/main/resources/META-INF/native-image/io.mlestar/mlestar/reachability-metadata.json");

    private static JsonNode metadata() throws Exception {
        return Json.parse(Files.readAllBytes(FILE));
    }

    @Test
    void everyTypeIsThereWithWhatIsCalledOfIt() throws Exception {
        assertThat(metadata().path("reflection")).isNotEmpty().allSatisfy(entry -> {
            Class<?> type =
                    Class.forName(entry.path("type").asText(), false, NativeMetadataTest.class.getClassLoader());
            assertThat(entry.path("methods")).isNotEmpty()
                    .allSatisfy(method -> assertThat(method.path("name").asText() + method.path("parameterTypes"))
                            .isEqualTo("<init>[]"));
            assertThat(type.getDeclaredConstructor()).isNotNull();
        });
    }

    /// Missing texts would end in another exception than the one that they are for.
    @Test
    void everyBundleIsThere() throws Exception {
        FileSystem modules = FileSystems.getFileSystem(URI.create("jrt:/"));
        assertThat(metadata().path("resources").findValuesAsText("bundle")).isNotEmpty()
                .allSatisfy(bundle -> assertThat(modules.getPath("modules", bundle.replaceFirst(":.*", ""),
                        bundle.replaceFirst(".*:", "").replace('.', '/') + ".properties")).exists());
    }
}

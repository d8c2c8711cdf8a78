package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.mlestar.Subprocess;
import module java.base;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/// The jar `core` is enough for the pipeline, with Jackson and a logger beside it.
class LibraryIT {
    @TempDir
    private Path folder;

    private String play() throws IOException, InterruptedException {
        Path core;
        try (Stream<Path> jars = Files.list(Path.of("target"))) {
            core = jars.filter(jar -> jar.toString().endsWith("-core.jar")).findFirst().orElseThrow();
        }
        String libraries = Stream
                .of(JsonProperty.class, JsonParser.class, ObjectMapper.class, YAMLFactory.class, Yaml.class,
                        Jdk8Module.class, JavaTimeModule.class, Logger.class)
                .map(type -> Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString())
                .collect(Collectors.joining(File.pathSeparator));
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        return Subprocess.said(Map.of(), java, "-cp", core + File.pathSeparator + libraries,
                "src/examples/library/Library.java", folder.toString());
    }

    @Test
    void theExampleRunsOnTheCoreAndGoesOnWhereItWas() throws Exception {
        String said = play();
        assertThat(said).contains("best score ").contains("fit()");
        Path result = folder.resolve("runs/demo/result.json");
        byte[] known = Files.readAllBytes(result);
        assertThat(play()).isEqualTo(said);
        assertThat(result).hasBinaryContent(known);
    }
}

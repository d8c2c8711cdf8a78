package io.mlestar.interfaces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.core.base.Json;
import module java.base;

/// Writes what the program says of its interfaces, `docs/interfaces`, from the records, the lists
/// of agents, functions and phases, and the comments in the sources. `make interfaces` calls it; a
/// test compares.
public final class Interfaces {
    static final Path FOLDER = Path.of("docs/interfaces");

    private Interfaces() {}

    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<Path, String> file : files().entrySet()) {
            Files.createDirectories(FOLDER);
            Files.writeString(file.getKey(), file.getValue());
            System.out.println(file.getKey());
        }
    }

    static Map<Path, String> files() throws IOException {
        Map<Path, String> files = new LinkedHashMap<>();
        files.put(FOLDER.resolve("openapi.json"), Json.text(HttpInterface.document(version())) + "\n");
        files.put(FOLDER.resolve("schemas.json"), Json.text(StoreSchemas.document()) + "\n");
        return files;
    }

    private static String version() throws IOException {
        Matcher version = Pattern.compile("<artifactId>mlestar</artifactId>\\s*<version>([0-9.]+)")
                .matcher(Files.readString(Path.of("pom.xml")));
        if (!version.find()) {
            throw new IllegalStateException("pom.xml names no version");
        }
        return version.group(1);
    }

    /// A part that is written by hand.
    static ObjectNode yaml(String name) {
        try {
            JsonNode tree =
                    new YAMLMapper().readTree(Files.readString(Path.of("src/test/resources/interfaces").resolve(name)));
            return (ObjectNode) Json.parse(tree.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.mlestar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import module java.base;

/// The files of the project as tests read them.
public final class ProjectFiles {
    private static final YAMLMapper YAML = new YAMLMapper();

    private ProjectFiles() {}

    public static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All below a folder whose names end so, in order.
    public static List<Path> below(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The cells of a document's tables, without marks of code, in the rows that begin so.
    ///
    /// @param begin a regular expression
    public static List<List<String>> rows(Path document, String begin) {
        return Pattern.compile("(?m)^\\| " + begin + ".* \\|$").matcher(text(document)).results()
                .map(MatchResult::group)
                .map(row -> Stream.of(row.substring(1, row.length() - 1).split("\\|"))
                        .map(cell -> cell.strip().replace("`", "")).toList())
                .toList();
    }

    /// The manifests of a folder.
    public static List<JsonNode> manifests(Path folder) {
        return below(folder, ".yaml").stream().flatMap(file -> documents(text(file)).stream()).toList();
    }

    /// The documents of a text in YAML.
    public static List<JsonNode> documents(String yaml) {
        try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(yaml)) {
            return documents.readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

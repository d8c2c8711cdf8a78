package io.mlestar.app.start;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.TaskDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/// Reads files and single values that a user writes in YAML or JSON.
public final class YamlFile {
    private static final YAMLMapper YAML = new YAMLMapper();

    private YamlFile() {}

    /// Reads a YAML or JSON file that holds a map.
    ///
    /// @throws Invalid if it cannot be read or holds something else
    public static ObjectNode map(Path file) {
        try {
            if (YAML.readTree(Files
                    .readString(Invalid.file(file.toString(), file))) instanceof ObjectNode map) {
                return map;
            }
            throw new Invalid(file + " must hold a map of fields, in YAML or JSON");
        } catch (JsonProcessingException e) {
            throw new Invalid(
                    file + " is not valid YAML or JSON: "
                            + e.getOriginalMessage().lines().findFirst().orElse("")
                            + (e.getLocation() == null
                                    ? ""
                                    : " (line " + e.getLocation().getLineNr() + ")"));
        } catch (NoSuchFileException e) {
            throw new Invalid("there is no file " + file);
        } catch (IOException e) {
            throw new Invalid(file
                    + (Files.isDirectory(file)
                            ? " is a folder, not a file"
                            : " cannot be read: " + Invalid.reason(e)));
        }
    }

    /// Reads a task file.
    ///
    /// @throws Invalid as [#map], or naming the field that is wrong; of a folder it says which task
    ///   file lies in it or beside it, or what writes one
    public static TaskDescription task(Path file) {
        if (Files.isDirectory(file)) {
            String name = Objects.toString(file.toAbsolutePath().normalize().getFileName(), "");
            throw new Invalid(file + " is a folder, not a task file; "
                    + Stream.of(file.resolve("task.yaml"), file.resolveSibling(name + ".task.yaml"))
                            .filter(Files::isRegularFile)
                            .findFirst()
                            .map(task -> "did you mean " + task + "?")
                            .orElse("mlestar new " + file + " writes one"));
        }
        ObjectNode task = map(file);
        try {
            return Json.readStrictly(task, TaskDescription.class);
        } catch (Invalid e) {
            throw new Invalid(file + ": " + e.getMessage());
        }
    }

    /// The folder that relative paths in a file count from.
    public static Path folder(Path file) {
        return Objects.requireNonNullElse(file.toAbsolutePath().getParent(), Path.of("/"));
    }

    /// Reads one value as YAML does: numbers, booleans, lists, text.
    ///
    /// @param field that it is for
    public static JsonNode value(String field, String text) {
        try {
            JsonNode value = YAML.readTree(text);
            if (!value.isMissingNode()) {
                return value;
            }
        } catch (JsonProcessingException e) {
            throw new Invalid(field + " cannot be \"" + text + "\", which is not valid YAML");
        }
        throw new Invalid(field + " has no value; give --set " + field + "=VALUE");
    }
}

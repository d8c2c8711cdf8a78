package io.mlestar.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.task.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/// What is set by hand on the command line.
final class SettingsOption {
    @Option(names = "--set", paramLabel = "FIELD=VALUE", description = "one field of the configuration; may be repeated")
    Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--model", paramLabel = "PROVIDER:NAME", description = "the model that all agents ask, e.g. recorded:FOLDER")
    String model;

    /// Puts the settings over those of a file: `--set`, then `--model`.
    ///
    /// @param file YAML or JSON; null for none
    ObjectNode over(Path file) {
        ObjectNode all = file == null ? Json.object() : YamlFile.map(file);
        settings.forEach((field, value) -> all.set(field, YamlFile.value(value)));
        return model == null ? all : all.put("model", model);
    }

    ObjectNode alone() {
        return over(null);
    }
}

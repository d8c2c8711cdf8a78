package io.mlestar.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.task.Json;
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
    ObjectNode over(ObjectNode file) {
        settings.forEach((field, value) -> file.set(field, Files.value(value)));
        return model == null ? file : file.put("model", model);
    }

    ObjectNode alone() {
        return over(Json.object());
    }
}

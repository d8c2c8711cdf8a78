package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.console.LogSettings;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.start.YamlFile;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Preset;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The settings on the command line.
final class SettingsOption {
    @Option(names = "--set", paramLabel = "FIELD=VALUE",
            description = "one field of the configuration, or a field within one, e.g. agents.planner.model=opus; may be repeated")
    List<String> settings = List.of();

    @Option(names = "--model", paramLabel = "PROVIDER:NAME",
            description = "the model that all agents ask, e.g. recorded:FOLDER")
    @Nullable
    String model;

    @Option(names = "--preset", paramLabel = "NAME",
            description = "settings that go together, under all others: quick, paper or strong")
    @Nullable
    String preset;

    /// Puts the settings over those of a file, and these over the preset's: `--set`, then
    /// `--model`.
    ///
    /// @param file YAML or JSON; null for none
    ObjectNode over(@Nullable Path file) {
        ObjectNode all = ofPreset();
        return set(file == null ? all : all.setAll(YamlFile.map(file)));
    }

    /// The same, as the settings of a run; those of the log are checked.
    PipelineConfig config(CompositionRoot root, @Nullable Path file) {
        ObjectNode all = over(file);
        LogSettings.taken(all, root.environment());
        return root.config(all);
    }

    /// Puts the settings over those of another run, those of a preset as well.
    ObjectNode onto(PipelineConfig other) {
        ObjectNode all = (ObjectNode) Json.tree(other);
        return set(all.setAll(ofPreset()));
    }

    private ObjectNode ofPreset() {
        return preset == null ? Json.object() : Preset.named(preset).settings();
    }

    private ObjectNode set(ObjectNode all) {
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new Invalid("--set must be FIELD=VALUE, such as inner_loop_steps=3, but is \""
                        + setting + "\"");
            }
            String field = setting.substring(0, equals);
            put(all, field, YamlFile.value(field, setting.substring(equals + 1)));
        }
        return model == null ? all : all.put("model", model);
    }

    /// Sets one field, or by `agents.planner.model` one within others. The text between the first
    /// dot and the last is one name, since names of models have dots.
    private static void put(ObjectNode all, String field, JsonNode value) {
        int first = field.indexOf('.');
        int last = field.lastIndexOf('.');
        ObjectNode place = first < 0 ? all : within(all, field.substring(0, first));
        (first == last ? place : within(place, field.substring(first + 1, last)))
                .set(field.substring(last + 1), value);
    }

    private static ObjectNode within(ObjectNode all, String field) {
        return all.get(field) instanceof ObjectNode map ? map : all.putObject(field);
    }

    /// The settings of a command that lets a user name a model and nothing else.
    static ObjectNode ofModel(@Nullable String model) {
        return model == null ? Json.object() : Json.object().put("model", model);
    }
}

package io.mlestar.app.start;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.BucketObject;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.Preset;
import io.mlestar.core.task.TaskDescription;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A request for a run, as every door passes it to [Launch].
///
/// @param runId chosen by the caller; empty for one that [Launch] makes
/// @param settings fields of the configuration that differ from those of the environment, or of the
///   other run of a fork
public record RunRequest(Optional<String> runId, Basis basis, ObjectNode settings) {
    static final Map<String, JsonNodeType> FIELDS =
            Map.of("run_id", JsonNodeType.STRING, "task", JsonNodeType.OBJECT, "preset",
                    JsonNodeType.STRING, "config", JsonNodeType.OBJECT, "model",
                    JsonNodeType.STRING, "fork", JsonNodeType.OBJECT, "task_ref",
                    JsonNodeType.STRING, "config_ref", JsonNodeType.STRING);
    private static final Set<String> OF_A_FORK = Set.of("run", "at");

    /// The start of a run: a task, or another run.
    public sealed interface Basis {}

    /// A task, and nothing finished.
    ///
    /// @param task whose `data_dir` is a whole path or an address
    public record NewTask(TaskDescription task) implements Basis {
        /// The task of a file, from whose folder a relative `data_dir` counts.
        ///
        /// @throws Invalid as [YamlFile#task]
        public static NewTask of(Path file) {
            return in(YamlFile.folder(file), YamlFile.task(file));
        }

        private static NewTask in(Path folder, TaskDescription task) {
            return new NewTask(task.withDataDir(DataSets.resolved(task.dataDir(), folder)));
        }
    }

    /// Another run, of which this one takes over all finished steps that do not depend on step
    /// `at`.
    ///
    /// @param at path of a step of the other run, without the run; null to share all that succeeded
    /// @param redo paths of the other's steps that are done again with all that is below them, or
    ///   `failed`
    public record Fork(String run, @Nullable String at, List<String> redo) implements Basis {}

    /// Reads the data of an event: `{"run_id"?, "task", "preset"?, "config"?, "model"?}`, or with
    /// `"fork": {"run", "at"?}` in place of the task. What is too large for an event lies in a
    /// bucket as JSON, and `task_ref` and `config_ref` name it. A relative `data_dir` counts from
    /// the working folder.
    ///
    /// @param bucket reads what is only named
    /// @throws Invalid naming what is wrong
    static RunRequest of(@Nullable JsonNode requested, BucketObject bucket) {
        if (requested == null || !requested.isObject()) {
            throw new Invalid("the data must be a JSON object");
        }
        requested.properties().forEach(field -> {
            JsonNodeType type = FIELDS.get(field.getKey());
            if (type == null) {
                throw new Invalid("unknown field " + field.getKey() + "; known are "
                        + String.join(", ", new TreeSet<>(FIELDS.keySet())));
            }
            if (!field.getValue().isNull() && field.getValue().getNodeType() != type) {
                throw new Invalid(
                        field.getKey()
                                + (type == JsonNodeType.STRING
                                        ? " must be a text"
                                        : " must be a JSON object")
                                + ", but is " + Json.line(field.getValue()));
            }
        });
        ObjectNode whole = whole((ObjectNode) requested, bucket);
        return new RunRequest(text(whole, "run_id"), basis(whole), settings(whole));
    }

    private static Optional<String> text(JsonNode map, String field) {
        return Optional.ofNullable(map.path(field).textValue());
    }

    private static ObjectNode whole(ObjectNode requested, BucketObject bucket) {
        ObjectNode whole = requested.deepCopy();
        for (String field : List.of("task", "config")) {
            String ref = field + "_ref";
            if (whole.hasNonNull(ref)) {
                if (whole.hasNonNull(field)) {
                    throw new Invalid("say " + field + " or " + ref + ", not both");
                }
                JsonNode read = Json.parse(bucket.read(ref, whole.path(ref).asText()));
                if (!read.isObject()) {
                    throw new Invalid(
                            ref + ": " + whole.path(ref).asText() + " must hold a JSON object");
                }
                whole.set(field, read);
            }
        }
        return whole;
    }

    private static Basis basis(ObjectNode whole) {
        if (whole.hasNonNull("fork")) {
            return fork(whole.path("fork"));
        }
        if (!whole.hasNonNull("task")) {
            throw new Invalid("task is required");
        }
        return NewTask.in(Path.of(""),
                Json.readStrictly(whole.path("task"), TaskDescription.class));
    }

    private static Fork fork(JsonNode fork) {
        fork.properties().forEach(field -> {
            if (!OF_A_FORK.contains(field.getKey()) || !field.getValue().isTextual()) {
                throw new Invalid("fork." + field.getKey() + " must be run or at, and a text");
            }
        });
        String run = text(fork, "run").orElseThrow(() -> new Invalid("fork.run is required"));
        return new Fork(run, fork.path("at").textValue(), List.of());
    }

    /// The settings of the preset, replaced by those of `config`, and over both the model.
    private static ObjectNode settings(ObjectNode whole) {
        ObjectNode settings = text(whole, "preset").map(name -> Preset.named(name).settings())
                .orElseGet(Json::object);
        if (whole.hasNonNull("config")) {
            settings.setAll((ObjectNode) whole.path("config"));
        }
        text(whole, "model").ifPresent(model -> settings.put("model", model));
        return settings;
    }
}

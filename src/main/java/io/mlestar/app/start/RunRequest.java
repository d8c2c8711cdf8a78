package io.mlestar.app.start;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.BucketObject;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.Preset;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The data of an event that asks for a run: `{"run_id"?, "task", "preset"?, "config"?, "model"?}`, or with `"fork": {"run", "at"?}` in place of the task. What is too
/// large for an event lies in a bucket as JSON, and `task_ref` and `config_ref` name it.
///
/// @param task as the user wrote it; null with a fork
/// @param preset name of a [Preset], under all that is set by hand
/// @param config what is set by hand; null for nothing
/// @param fork null for a run that begins with nothing
@RegisterForReflection
public record RunRequest(Optional<String> runId, @Nullable JsonNode task, Optional<String> preset, @Nullable ObjectNode config, Optional<String> model,
        @Nullable Fork fork) {
    static final Map<String, JsonNodeType> FIELDS = Map.of("run_id", JsonNodeType.STRING, "task", JsonNodeType.OBJECT, "preset", JsonNodeType.STRING,
            "config", JsonNodeType.OBJECT, "model", JsonNodeType.STRING, "fork", JsonNodeType.OBJECT, "task_ref", JsonNodeType.STRING,
            "config_ref", JsonNodeType.STRING);
    private static final Set<String> OF_A_FORK = Set.of("run", "at");

    /// Another run, and the step before which the new one leaves its way; null shares all that succeeded.
    public record Fork(String run, @Nullable String at) {}

    public RunRequest {
        task = task == null || task.isNull() ? null : task;
    }

    /// @param bucket reads what is only named
    /// @throws Invalid naming what is wrong
    static RunRequest of(@Nullable JsonNode requested, BucketObject bucket) {
        if (requested == null || !requested.isObject()) {
            throw new Invalid("the data must be a JSON object");
        }
        requested.properties().forEach(field -> {
            JsonNodeType type = FIELDS.get(field.getKey());
            if (type == null) {
                throw new Invalid("unknown field " + field.getKey() + "; known are " + String.join(", ", new TreeSet<>(FIELDS.keySet())));
            }
            if (!field.getValue().isNull() && field.getValue().getNodeType() != type) {
                throw new Invalid(field.getKey() + (type == JsonNodeType.STRING ? " must be a text" : " must be a JSON object")
                        + ", but is " + Json.line(field.getValue()));
            }
        });
        requested.path("fork").properties().forEach(field -> {
            if (!OF_A_FORK.contains(field.getKey()) || !field.getValue().isTextual()) {
                throw new Invalid("fork." + field.getKey() + " must be run or at, and a text");
            }
        });
        RunRequest request = Json.read(whole(requested, bucket), RunRequest.class);
        if (request.fork == null ? request.task == null : request.fork.run == null) {
            throw new Invalid(request.fork == null ? "task is required" : "fork.run is required");
        }
        return request;
    }

    /// The request with the task and settings that it only named.
    private static JsonNode whole(JsonNode requested, BucketObject bucket) {
        ObjectNode whole = requested.deepCopy();
        for (String field : List.of("task", "config")) {
            String ref = field + "_ref";
            if (whole.hasNonNull(ref)) {
                if (whole.hasNonNull(field)) {
                    throw new Invalid("say " + field + " or " + ref + ", not both");
                }
                JsonNode read = Json.parse(bucket.read(ref, whole.path(ref).asText()));
                if (!read.isObject()) {
                    throw new Invalid(ref + ": " + whole.path(ref).asText() + " must hold a JSON object");
                }
                whole.set(field, read);
            }
            whole.remove(ref);
        }
        return whole;
    }

    /// The task of a request that is no fork.
    JsonNode ownTask() {
        return Objects.requireNonNull(task, "task");
    }

    /// What is set by the preset and by hand, the model included.
    ///
    /// @throws Invalid if there is no such preset
    ObjectNode settings() {
        ObjectNode settings = preset.map(name -> Preset.named(name).settings()).orElseGet(Json::object);
        if (config != null) {
            settings.setAll(config);
        }
        model.ifPresent(chosen -> settings.put("model", chosen));
        return settings;
    }
}

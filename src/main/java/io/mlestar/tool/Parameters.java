package io.mlestar.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.task.Json;
import java.util.Optional;

/// Builds the JSON Schema of a tool's arguments, and reads arguments. All are required; one that may be left out is nullable.
final class Parameters {
    private final ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);

    Parameters() {
        schema.putObject("properties");
        schema.putArray("required");
    }

    Parameters text(String name, String description) {
        property(name, description).put("type", "string");
        return this;
    }

    /// @param type JSON Schema's word, e.g. `integer`
    Parameters optional(String name, String type, String description) {
        property(name, description).putArray("type").add(type).add("null");
        return this;
    }

    private ObjectNode property(String name, String description) {
        schema.withArray("required").add(name);
        return ((ObjectNode) schema.get("properties")).putObject(name).put("description", description);
    }

    JsonNode schema() {
        return schema;
    }

    /// @throws ToolRefused if an argument is unknown, or is not what the schema says; one that may be null may be left out too
    static void check(JsonNode schema, JsonNode arguments) {
        if (!arguments.isObject()) {
            throw new ToolRefused("the arguments must be a JSON object");
        }
        arguments.fieldNames().forEachRemaining(name -> {
            if (!schema.path("properties").has(name)) {
                throw new ToolRefused("there is no argument \"" + name + "\"");
            }
        });
        schema.path("properties").properties().forEach(property -> {
            JsonNode type = property.getValue().path("type");
            JsonNode value = arguments.path(property.getKey());
            boolean absent = value.isMissingNode() || value.isNull();
            if (absent ? type.isTextual() : !fits(value, type.isTextual() ? type.asText() : type.path(0).asText())) {
                throw new ToolRefused("the argument \"" + property.getKey() + "\" must be of type "
                        + (type.isTextual() ? type.asText() : type.path(0).asText() + " or null"));
            }
        });
    }

    private static boolean fits(JsonNode value, String type) {
        return switch (type) {
            case "integer" -> value.isIntegralNumber() && value.canConvertToInt();
            case "boolean" -> value.isBoolean();
            default -> value.isTextual();
        };
    }

    static Optional<Integer> integer(JsonNode arguments, String name) {
        return arguments.hasNonNull(name) ? Optional.of(arguments.get(name).intValue()) : Optional.empty();
    }
}

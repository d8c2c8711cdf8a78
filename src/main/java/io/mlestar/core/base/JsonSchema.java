package io.mlestar.core.base;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// JSON Schema of what models write: structured answers (REQ-DM-041) and arguments of tools.
/// Records become objects whose fields are all required; an `Optional` is one that may be null. A
/// field is described by its [JsonPropertyDescription].
public final class JsonSchema {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonSchema() {}

    public static ObjectNode of(Class<?> record) {
        ObjectNode schema = NODES.objectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        schema.putArray("required");
        for (RecordComponent component : record.getRecordComponents()) {
            ObjectNode property = of(component.getGenericType());
            JsonPropertyDescription words =
                    component.getAccessor().getAnnotation(JsonPropertyDescription.class);
            if (words != null) {
                property.put("description", words.value());
            }
            properties.set(Json.name(component), property);
            schema.withArray("required").add(Json.name(component));
        }
        return schema.put("additionalProperties", false);
    }

    private static ObjectNode of(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return NODES.objectNode()
                    .put("type", "array")
                    .set("items", of(list.getActualTypeArguments()[0]));
        }
        if (type instanceof ParameterizedType optional && optional.getRawType() == Optional.class) {
            ObjectNode schema = of(optional.getActualTypeArguments()[0]);
            return schema.set("type", NODES.arrayNode().add(schema.get("type")).add("null"));
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            return of(plain);
        }
        Map<Class<?>, String> scalars = Map.of(Integer.class, "integer", Boolean.class, "boolean");
        ObjectNode schema = NODES.objectNode().put("type", scalars.getOrDefault(plain, "string"));
        if (plain.isEnum()) {
            for (Object constant : plain.getEnumConstants()) {
                schema.withArray("enum").add(Json.tree(constant));
            }
        }
        return schema;
    }
}

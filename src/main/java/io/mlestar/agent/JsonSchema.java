package io.mlestar.agent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.task.Json;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;

/// JSON Schema of the structured answers (REQ-DM-041): records become objects whose fields are all required.
final class JsonSchema {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonSchema() {}

    static ObjectNode of(Class<?> record) {
        ObjectNode schema = NODES.objectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (RecordComponent component : record.getRecordComponents()) {
            properties.set(snake(component.getName()), of(component.getGenericType()));
            schema.withArray("required").add(snake(component.getName()));
        }
        return schema.put("additionalProperties", false);
    }

    private static ObjectNode of(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            ObjectNode schema = NODES.objectNode().put("type", "array");
            return schema.set("items", of(list.getActualTypeArguments()[0]));
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            return of(plain);
        }
        ObjectNode schema = NODES.objectNode().put("type", "string");
        if (plain.isEnum()) {
            for (Object constant : plain.getEnumConstants()) {
                schema.withArray("enum").add(Json.tree(constant));
            }
        }
        return schema;
    }

    private static String snake(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT);
    }
}

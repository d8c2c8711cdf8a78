package io.mlestar.interfaces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Values made up from schemas: such as they allow, on their edges and strange where they may be,
/// and such as they do not.
record MadeUpValues(Described document, Random random) {
    private static final List<String> STRANGE =
            List.of("x", "0", "-1", "null", "../../etc/passwd", "%2e%2e%2f", "a b", "é\u2028ü", "\uD83D\uDE00",
                    "\u0000", "\u001b[31m",
                    "<script>", "{{7*7}}", "${MCP_X}", "'; DROP", "%s%n", "\\", "\"", "#", "?token=x", "phase1",
                    "a/b/c", "NaN", "1e999");
    private static final int LONG = 20_000;
    private static final int LONGEST_WORD = 1_000;
    private static final int DEEP = 6;

    /// What the schema allows.
    JsonNode value(JsonNode schema) {
        return value(schema, 0);
    }

    private JsonNode value(JsonNode schema, int depth) {
        if (schema.has("$ref")) {
            return value(document.at(schema.path("$ref").asText().substring(1)), depth);
        }
        for (String choice : List.of("oneOf", "anyOf")) {
            if (schema.has(choice)) {
                return value(one(list(schema.path(choice))), depth);
            }
        }
        if (schema.has("const")) {
            return schema.path("const");
        }
        if (schema.has("enum")) {
            return one(list(schema.path("enum")));
        }
        JsonNode type = schema.path("type");
        return switch (type.isArray() ? one(list(type)).asText() : type.asText("any")) {
            case "null" -> Json.tree(null);
            case "boolean" -> Json.tree(random.nextBoolean());
            case "integer" -> Json.tree(integer(schema));
            case "number" -> Json.tree(one(List.of(0.0, -1.0, 0.5, 1e308, 4.9e-324, 3.0)));
            case "string" -> Json.tree(text(schema));
            case "array" -> array(schema, depth);
            case "object" -> object(schema, depth);
            default -> one(List.of(Json.tree(null), Json.tree(7), Json.tree("x"), Json.object()));
        };
    }

    private long integer(JsonNode schema) {
        long least = schema.path("minimum").asLong(Integer.MIN_VALUE);
        long most = schema.path("maximum").asLong(Integer.MAX_VALUE);
        return one(List.of(least, most, Math.clamp(1, least, most), random.nextLong(least, most + 1)));
    }

    private String text(JsonNode schema) {
        int most = schema.path("maxLength").asInt(LONG);
        String text = one(Stream.concat(STRANGE.stream(), Stream.of("y".repeat(Math.min(most, LONG)))).toList());
        return text.isBlank() || text.length() > most ? "z" : text;
    }

    private ArrayNode array(JsonNode schema, int depth) {
        ArrayNode array = Json.object().arrayNode();
        IntStream.range(0, depth > DEEP ? 0 : random.nextInt(4))
                .forEach(at -> array.add(value(schema.path("items"), depth + 1)));
        return array;
    }

    private ObjectNode object(JsonNode schema, int depth) {
        ObjectNode object = Json.object();
        List<String> required = list(schema.path("required")).stream().map(JsonNode::asText).toList();
        int chance = random.nextInt(3);
        schema.path("properties").properties().forEach(field -> {
            if (required.contains(field.getKey()) || depth <= DEEP && random.nextInt(4) < chance) {
                object.set(field.getKey(), value(field.getValue(), depth + 1));
            }
        });
        if (schema.path("additionalProperties").isObject() && depth <= DEEP) {
            IntStream.range(0, random.nextInt(2))
                    .forEach(at -> object.set(one(STRANGE), value(schema.path("additionalProperties"), depth + 1)));
        }
        return object;
    }

    /// A body to send: one that the schema allows, or a spoiled one.
    String body(JsonNode schema) {
        JsonNode whole = value(schema);
        if (random.nextInt(3) > 0) {
            return whole.toString();
        }
        if (whole instanceof ObjectNode object && !object.isEmpty() && random.nextBoolean()) {
            ObjectNode spoiled = object.deepCopy();
            List<String> names = new ArrayList<>(spoiled.properties().stream().map(Map.Entry::getKey).toList());
            String name = one(names);
            return switch (random.nextInt(3)) {
                case 0 -> spoiled.without(name).toString();
                case 1 -> spoiled.put(one(STRANGE), one(STRANGE)).toString();
                default -> spoiled
                        .set(name, one(List.of(Json.tree(null), Json.tree(-7), Json.tree("x"), Json.object(),
                                Json.tree(List.of()), Json.tree(true))))
                        .toString();
            };
        }
        String text = whole.toString();
        return one(List.of("", "null", "[]", "7", "\"x\"", "{", text.substring(0, text.length() / 2), text + "}",
                "[".repeat(5_000), "{\"a\":".repeat(2_000)));
    }

    /// A part of an address, no longer than servers read: they hang up on a longer one, and the
    /// next request of the client fails.
    String word(JsonNode schema) {
        String word = random.nextInt(4) == 0 ? one(STRANGE) : value(schema).asText("x");
        return word.substring(0, Math.min(word.length(), LONGEST_WORD));
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> list = new ArrayList<>();
        array.forEach(list::add);
        return list;
    }
}

package io.mlestar.interfaces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/// What a record takes from outside, found by asking it: the rules are in the constructors, and are
/// written down nowhere else.
///
/// @param example that is taken
/// @param reader throws [Invalid] at what is not
record Accepted(ObjectNode example, Consumer<ObjectNode> reader) {
    private static final int LONGEST_TEXT = 1 << 20;

    Accepted {
        reader.accept(example);
    }

    /// Says in the schema of the record which fields may be left out or null, and between which
    /// bounds numbers and texts lie.
    void narrow(ObjectNode schema) {
        ArrayNode required = schema.putArray("required");
        schema.withObject("/properties").properties().forEach(field -> {
            if (!takes(without(field.getKey()))) {
                required.add(field.getKey());
            }
            narrow(field.getKey(), (ObjectNode) field.getValue());
        });
        if (required.isEmpty()) {
            schema.remove("required");
        }
        schema.put("additionalProperties", false);
    }

    private void narrow(String name, ObjectNode property) {
        boolean mayBeNull = takes(with(name, Json.tree(null)));
        List<String> types = types(property);
        if (types.contains("integer")) {
            long own = example.path(name).asLong(1);
            LongPredicate taken = value -> takes(with(name, Json.tree(value)));
            property.put("minimum", edge(taken, own, Integer.MIN_VALUE)).put("maximum",
                    edge(taken, own, Integer.MAX_VALUE));
        } else if (types.contains("string") && takes(with(name, Json.tree("x")))) {
            if (!takes(with(name, Json.tree("")))) {
                property.put("minLength", 1);
            }
            if (!takes(with(name, Json.tree(" ")))) {
                property.put("pattern", "\\S");
            }
            if (!takes(with(name, Json.tree("x".repeat(LONGEST_TEXT))))) {
                property.put("maxLength",
                        edge(length -> takes(with(name, Json.tree("x".repeat((int) length)))), 1, LONGEST_TEXT));
            }
        }
        if (mayBeNull && !types.contains("null") && !property.has("anyOf")) {
            ObjectNode same = property.deepCopy();
            property.removeAll();
            JsonNode words = same.remove("description");
            if (words != null) {
                property.set("description", words);
            }
            property.setAll(RecordSchemas.nullable(same));
        } else if (!mayBeNull) {
            notNull(property);
        }
    }

    private static List<String> types(ObjectNode property) {
        List<String> types = new ArrayList<>();
        JsonNode type = property.path("type");
        (type.isArray() ? type : Json.object().arrayNode().add(type)).forEach(one -> types.add(one.asText()));
        return types;
    }

    /// A comment that says of a result "null if it failed" is no leave to give none.
    private static void notNull(ObjectNode property) {
        if (types(property).contains("null")) {
            property.put("type", types(property).getFirst());
        } else if (property.has("anyOf")) {
            JsonNode one = property.remove("anyOf").get(0);
            property.setAll((ObjectNode) one);
        }
    }

    /// The last one that is taken on the way from one that is to one that need not be.
    private static long edge(LongPredicate taken, long from, long to) {
        if (taken.test(to)) {
            return to;
        }
        long good = from;
        long bad = to;
        while (Math.abs(bad - good) > 1) {
            long middle = good + (bad - good) / 2;
            if (taken.test(middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }

    private boolean takes(ObjectNode given) {
        try {
            reader.accept(given);
            return true;
        } catch (Invalid e) {
            return false;
        }
    }

    private ObjectNode without(String name) {
        ObjectNode given = example.deepCopy();
        given.remove(name);
        return given;
    }

    private ObjectNode with(String name, JsonNode value) {
        return example.deepCopy().set(name, value);
    }
}

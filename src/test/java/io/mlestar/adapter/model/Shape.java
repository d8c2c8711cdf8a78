package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What a piece of a request must look like. Providers refuse what they do not know, so a field
/// that is not listed is as wrong as one that is missing.
@FunctionalInterface
interface Shape {
    Shape TEXT = is("a string", JsonNode::isTextual);
    Shape FILLED = is("a string that is not blank", value -> value.isTextual() && !value.asText().isBlank());
    Shape COUNT = is("a whole number from 1", value -> value.isIntegralNumber() && value.asLong() > 0);
    Shape WHOLE = is("a whole number", JsonNode::isIntegralNumber);
    Shape NUMBER = is("a number", JsonNode::isNumber);
    Shape FLAG = is("true or false", JsonNode::isBoolean);
    Shape OBJECT = is("an object", JsonNode::isObject);
    Shape TEXTS = listOf(TEXT);

    /// @param at where the value stands, e.g. `messages[0].role`
    void check(String at, JsonNode value, Consumer<String> violations);

    static Shape is(String what, Predicate<JsonNode> test) {
        return (at, value, violations) -> {
            if (!test.test(value)) {
                violations.accept(at + " must be " + what);
            }
        };
    }

    static Shape word(String... words) {
        return is("one of " + List.of(words), value -> value.isTextual() && List.of(words).contains(value.asText()));
    }

    static Shape matching(String pattern) {
        return is("a string like " + pattern, value -> value.isTextual() && value.asText().matches(pattern));
    }

    static Shape between(double least, double most) {
        return is("a number from " + least + " to " + most,
                value -> value.isNumber() && value.asDouble() >= least && value.asDouble() <= most);
    }

    static Shape listOf(Shape element) {
        return (at, value, violations) -> {
            is("a list", JsonNode::isArray).check(at, value, violations);
            for (int i = 0; i < value.size() && value.isArray(); i++) {
                element.check(at + "[" + i + "]", value.get(i), violations);
            }
        };
    }

    /// The value must also be as `other` wants it.
    default Shape and(Shape other) {
        return (at, value, violations) -> {
            check(at, value, violations);
            other.check(at, value, violations);
        };
    }

    /// For strings one shape, for everything else another: many fields have a short form.
    static Shape textOr(Shape other) {
        return (at, value, violations) -> (value.isTextual() ? TEXT : other).check(at, value, violations);
    }

    /// The field `tag` says which of the shapes an object has.
    static Shape by(String tag, Map<String, Shape> shapes) {
        return (at, value, violations) -> {
            Shape shape = shapes.get(value.path(tag).asText());
            if (shape == null) {
                violations.accept(at + "." + tag + " must be one of " + shapes.keySet().stream().sorted().toList());
            } else {
                shape.check(at, value, violations);
            }
        };
    }

    static Fields fields() {
        return new Fields(Map.of(), Map.of());
    }

    /// An object with these fields and no others.
    record Fields(Map<String, Shape> needed, Map<String, Shape> allowed) implements Shape {
        Fields must(String name, Shape shape) {
            return new Fields(plus(needed, name, shape), allowed);
        }

        Fields may(String name, Shape shape) {
            return new Fields(needed, plus(allowed, name, shape));
        }

        Fields may(Shape shape, String... names) {
            return Stream.of(names).reduce(this, (fields, name) -> fields.may(name, shape), (a, b) -> b);
        }

        private static Map<String, Shape> plus(Map<String, Shape> fields, String name, Shape shape) {
            Map<String, Shape> more = new LinkedHashMap<>(fields);
            more.put(name, shape);
            return more;
        }

        @Override
        public void check(String at, JsonNode value, Consumer<String> violations) {
            if (!value.isObject()) {
                violations.accept((at.isEmpty() ? "the body" : at) + " must be an object");
                return;
            }
            String before = at.isEmpty() ? "" : at + ".";
            needed.keySet().stream().filter(name -> !value.has(name))
                    .forEach(name -> violations.accept(before + name + ": field required"));
            value.properties()
                    .forEach(field -> needed.getOrDefault(field.getKey(), allowed.getOrDefault(field.getKey(), UNKNOWN))
                            .check(before + field.getKey(), field.getValue(), violations));
        }
    }

    Shape UNKNOWN = (at, _, violations) -> violations.accept(at + ": extra inputs are not permitted");

    /// A JSON schema as the "strict" modes want it: every object says that it has no further
    /// fields.
    ///
    /// @param allRequired whether every field must be listed as required too (OpenAI)
    /// @param refused keywords that the provider does not support
    static Shape strictSchema(boolean allRequired, List<String> refused) {
        return (at, schema, violations) -> {
            OBJECT.check(at, schema, violations);
            refused.stream().filter(schema::has)
                    .forEach(word -> violations.accept(at + ": keyword " + word + " is not supported"));
            Shape inner = strictSchema(allRequired, refused);
            if (schema.path("type").asText().equals("object")) {
                if (!schema.path("additionalProperties").isBoolean()
                        || schema.path("additionalProperties").asBoolean()) {
                    violations.accept(at + ": additionalProperties must be false");
                }
                List<String> required = new ArrayList<>();
                schema.path("required").forEach(name -> required.add(name.asText()));
                schema.path("properties").properties().forEach(field -> {
                    inner.check(at + "." + field.getKey(), field.getValue(), violations);
                    if (allRequired && !required.contains(field.getKey())) {
                        violations.accept(at + ": required must list " + field.getKey());
                    }
                });
            }
            for (String part : List.of("items", "anyOf", "$defs")) {
                JsonNode nested = schema.path(part);
                if (part.equals("items") && !nested.isMissingNode()) {
                    inner.check(at + ".items", nested, violations);
                } else {
                    nested.forEach(one -> inner.check(at + "." + part, one, violations));
                }
            }
        };
    }
}

package io.mlestar.interfaces;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Phase;
import module java.base;
import org.jspecify.annotations.Nullable;

/// JSON Schemas (2020-12) of records as [Json] writes them: each field is there, and null only
/// where the type or its comment says so. Records and enums become definitions by their simple
/// names, which no two types of the project share.
final class RecordSchemas {
    private final String place;
    private final boolean older;
    private final Map<String, ObjectNode> definitions = new TreeMap<>();

    /// The words of the sources on a record or an enum, in its `///` comment. A comment that says
    /// "null" of a component says that it may be null.
    ///
    /// @param type what it is
    /// @param components by name in Java
    record SourceWords(String type, Map<String, String> components) {
        private static final Path MAIN = Path.of("src/main/java");
        private static final Pattern PARAM = Pattern.compile("@param (\\w+) (.*)");
        private static final Pattern LINK = Pattern.compile("\\[(?:[a-z]\\w*\\.)*(\\w+)(?:#(\\w+))?(?:\\([^)]*\\))?]");
        private static final Pattern NULL_ITSELF = Pattern
                .compile("null (if|is|means|was|without|unless|only|while|until|in runs|after)\\b|null (for nothing)");
        private static final Pattern NULL_INSIDE = Pattern.compile("null (where|for one)\\b");

        static SourceWords of(Class<?> type) {
            Class<?> top = type;
            while (top.getDeclaringClass() != null) {
                top = top.getDeclaringClass();
            }
            List<String> lines;
            try {
                lines = Files.readAllLines(MAIN.resolve(top.getName().replace('.', '/') + ".java"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Pattern declared =
                    Pattern.compile(
                            "\\s*(?:(?:public|private|protected|static|final|sealed) )*(?:record|enum|interface) "
                                    + type.getSimpleName() + "\\b.*");
            int at = 0;
            while (at < lines.size() && !declared.matcher(lines.get(at)).matches()) {
                at++;
            }
            List<String> comment = new ArrayList<>();
            for (int line = Math.min(at, lines.size()) - 1; line >= 0
                    && lines.get(line).strip().matches("(///|@).*"); line--) {
                if (lines.get(line).strip().startsWith("///")) {
                    comment.addFirst(lines.get(line).strip().substring(3).strip());
                }
            }
            return read(comment);
        }

        private static SourceWords read(List<String> comment) {
            Map<String, StringBuilder> parts = new LinkedHashMap<>();
            StringBuilder part = new StringBuilder();
            parts.put("", part);
            for (String line : comment) {
                Matcher param = PARAM.matcher(line);
                if (param.matches()) {
                    part = new StringBuilder(param.group(2));
                    parts.put(param.group(1), part);
                } else {
                    part.append(part.isEmpty() ? "" : " ").append(line);
                }
            }
            Map<String, String> components = new LinkedHashMap<>();
            parts.forEach((name, words) -> components.put(name, LINK.matcher(words.toString().strip())
                    .replaceAll(link -> link.group(2) == null ? link.group(1) : link.group(1) + "." + link.group(2))));
            return new SourceWords(components.remove(""), components);
        }

        boolean mayBeNull(String component) {
            return NULL_ITSELF.matcher(components.getOrDefault(component, "")).find();
        }

        boolean mayHoldNull(String component) {
            return NULL_INSIDE.matcher(components.getOrDefault(component, "")).find();
        }
    }

    /// @param place of the definitions in the document, e.g. `#/$defs/`
    /// @param older whether an older program may have written them, which knew less: what may be
    ///   null may be missing then
    RecordSchemas(String place, boolean older) {
        this.place = place;
        this.older = older;
    }

    Map<String, ObjectNode> definitions() {
        return definitions;
    }

    ObjectNode reference(Class<?> type) {
        String name = nameOf(type);
        if (!definitions.containsKey(name)) {
            ObjectNode schema = Json.object();
            definitions.put(name, schema);
            schema.setAll(type.isEnum() ? enumeration(type) : fields(type));
        }
        return named(name);
    }

    /// The result of a phase is named after that.
    private static String nameOf(Class<?> type) {
        Class<?> phase = type.getEnclosingClass();
        boolean isResult =
                phase != null && Phase.class.isAssignableFrom(phase) && type.getSimpleName().equals("Result");
        return isResult ? phase.getSimpleName() + ".Result" : type.getSimpleName();
    }

    /// A reference to a definition by its name.
    ObjectNode named(String name) {
        return Json.object().put("$ref", place + name);
    }

    private static ObjectNode enumeration(Class<?> type) {
        ObjectNode schema = described(SourceWords.of(type).type()).put("type", "string");
        for (Object constant : type.getEnumConstants()) {
            schema.withArray("enum").add(Json.tree(constant));
        }
        return schema;
    }

    private ObjectNode fields(Class<?> type) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException("no schema is known for " + type);
        }
        ObjectNode schema = described(SourceWords.of(type).type()).put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        schema.putArray("required");
        for (RecordComponent component : Json.fields(type)) {
            if (component.getAccessor().isAnnotationPresent(JsonIgnore.class)) {
                continue;
            }
            SourceWords words = SourceWords.of(component.getDeclaringRecord());
            ObjectNode property = of(component.getAnnotatedType(), words.mayHoldNull(component.getName()));
            if (words.mayBeNull(component.getName())) {
                property = nullable(property);
            }
            String said = words.components().getOrDefault(component.getName(), "");
            properties.set(Json.name(component), said.isEmpty() ? property : described(said).setAll(property));
            if (!older || !isNullable(property)) {
                schema.withArray("required").add(Json.name(component));
            }
        }
        return schema;
    }

    private static ObjectNode described(String words) {
        return words.isEmpty() ? Json.object() : Json.object().put("description", words);
    }

    private ObjectNode of(AnnotatedType type, boolean holdsNull) {
        ObjectNode schema = type instanceof AnnotatedParameterizedType generic ? generic(generic, holdsNull)
                : plain((Class<?>) type.getType());
        return type.isAnnotationPresent(Nullable.class) ? nullable(schema) : schema;
    }

    private ObjectNode generic(AnnotatedParameterizedType type, boolean holdsNull) {
        AnnotatedType[] arguments = type.getAnnotatedActualTypeArguments();
        Class<?> raw = (Class<?>) ((java.lang.reflect.ParameterizedType) type.getType()).getRawType();
        if (raw == List.class) {
            ObjectNode items = of(arguments[0], false);
            return Json.object().put("type", "array").set("items", holdsNull ? nullable(items) : items);
        }
        if (raw == Map.class) {
            return Json.object().put("type", "object").set("additionalProperties", of(arguments[1], false));
        }
        if (raw == Optional.class) {
            return nullable(of(arguments[0], false));
        }
        throw new IllegalArgumentException("no schema is known for " + type);
    }

    private ObjectNode plain(Class<?> type) {
        if (type == String.class) {
            return Json.object().put("type", "string");
        }
        if (type == char.class) {
            return Json.object().put("type", "string").put("minLength", 1).put("maxLength", 1);
        }
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            return Json.object().put("type", "integer");
        }
        if (type == double.class || type == Double.class) {
            return Json.object().put("type", "number");
        }
        if (type == boolean.class || type == Boolean.class) {
            return Json.object().put("type", "boolean");
        }
        if (type == Instant.class) {
            return Json.object().put("type", "string").put("format", "date-time");
        }
        if (type == JsonNode.class) {
            return Json.object();
        }
        return type == ObjectNode.class ? Json.object().put("type", "object") : reference(type);
    }

    private static boolean isNullable(JsonNode property) {
        return Stream.concat(Stream.of(property), StreamSupport.stream(property.path("anyOf").spliterator(), false))
                .anyMatch(one -> one.path("type").toString().contains("\"null\""));
    }

    /// The same, or null.
    static ObjectNode nullable(ObjectNode schema) {
        if (schema.path("type").isTextual()) {
            String type = schema.path("type").asText();
            schema.putArray("type").add(type).add("null");
            return schema;
        }
        if (!schema.has("$ref")) {
            return schema;
        }
        ObjectNode either = Json.object();
        either.putArray("anyOf").add(schema).addObject().put("type", "null");
        return either;
    }
}

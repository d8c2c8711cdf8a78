package io.mlestar.core.base;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.datatype.jsr310.deser.InstantDeserializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The JSON form of everything: snake_case names, nulls written out, ISO-8601 times. Records are
/// read through their constructors, so a value that breaks a rule is refused on reading too.
public final class Json {
    /// Ignores unknown fields: for what the program itself or a newer version of it wrote.
    private static final JsonMapper LENIENT = base().build();
    /// Refuses unknown fields: for what a user wrote.
    private static final JsonMapper STRICT =
            base().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .addModule(new SimpleModule("finite numbers")
                            .addDeserializer(Double.class, new FiniteNumber(Double.class, null))
                            .addDeserializer(double.class, new FiniteNumber(double.class, 0.0)))
                    .build();

    /// Refuses unknown fields, and takes nothing for what it is not, nor null for anything but an
    /// empty `Optional`: for what a model wrote.
    private static final JsonMapper EXACT = base()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(LogicalType.Textual,
                    text -> List
                            .of(CoercionInputShape.Integer, CoercionInputShape.Float,
                                    CoercionInputShape.Boolean)
                            .forEach(other -> text.setCoercion(other, CoercionAction.Fail)))
            .build();

    /// A time in a year that people write with four digits: with others there is no reckoning.
    private static final class BoundedInstant extends StdDeserializer<Instant> {
        private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
        private static final Instant LAST = Instant.parse("9999-01-01T00:00:00Z");

        BoundedInstant() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context)
                throws IOException {
            Instant at = InstantDeserializer.INSTANT.deserialize(parser, context);
            if (at != null && (at.isBefore(FIRST) || at.isAfter(LAST))) {
                throw new Invalid("a time must be in the years 1 to 9998");
            }
            return at;
        }
    }

    private Json() {}

    private static JsonMapper.Builder base() {
        return JsonMapper.builder()
                .addModule(new Jdk8Module())
                .addModule(
                        new JavaTimeModule().addDeserializer(Instant.class, new BoundedInstant()))
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .visibility(PropertyAccessor.GETTER, Visibility.NONE)
                .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
                .visibility(PropertyAccessor.FIELD, Visibility.ANY)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    public static byte[] bytes(Object value) {
        try {
            return LENIENT.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// JSON on one line.
    public static String line(Object value) {
        return new String(bytes(value), StandardCharsets.UTF_8);
    }

    public static String text(Object value) {
        try {
            return LENIENT.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static ObjectNode object() {
        return LENIENT.createObjectNode();
    }

    public static JsonNode tree(@Nullable Object value) {
        return LENIENT.valueToTree(value);
    }

    /// Parses what the program itself wrote; anything else is a damaged store.
    public static JsonNode parse(byte[] json) {
        try {
            return LENIENT.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Parses text from outside.
    ///
    /// @throws Invalid if it is not JSON, or not exactly one value
    public static JsonNode parse(String json) {
        try {
            JsonNode tree = LENIENT.readTree(json);
            if (tree.isMissingNode()) {
                throw new Invalid("not valid JSON: the text is empty");
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw new Invalid(
                    "not valid JSON: " + (e instanceof MismatchedInputException
                            ? "something follows the first value"
                            : e.getOriginalMessage()));
        }
    }

    /// Reads a value; unknown fields are ignored.
    ///
    /// @throws Invalid naming the field that is wrong
    public static <T> T read(JsonNode json, Class<T> type) {
        return read(LENIENT, json, type);
    }

    /// Reads a value that a user wrote; an unknown field is refused.
    ///
    /// @throws Invalid naming the field that is wrong or unknown
    public static <T> T readStrictly(JsonNode json, Class<T> type) {
        if (type.isRecord() && Stream.of(type.getRecordComponents()).anyMatch(Json::isGroup)) {
            refuseUnknown(json, type, "");
        }
        return read(STRICT, json, type);
    }

    /// Refuses unknown fields before Jackson sees the record: Jackson accepts any field of a record
    /// with groups, and in records within it complains of missing fields first.
    private static void refuseUnknown(JsonNode json, Class<?> type, String path) {
        List<RecordComponent> fields = fields(type);
        List<String> known = fields.stream().map(Json::name).sorted().toList();
        json.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw new Invalid(JsonFault.unknownField(path + field, field, known));
            }
        });
        fields.stream()
                .filter(field -> field.getType().isRecord())
                .forEach(field -> refuseUnknown(json.path(name(field)), field.getType(),
                        path + name(field) + "."));
    }

    /// Reads a value that a model wrote: every field must be there and of its kind, or may be left
    /// out as an `Optional`.
    ///
    /// @throws Invalid naming the field that is missing, wrong or unknown
    public static <T> T readExactly(JsonNode json, Class<T> type) {
        return read(EXACT, json, type);
    }

    /// The name of a record's field in JSON.
    public static String name(RecordComponent field) {
        JsonProperty property = field.getAccessor().getAnnotation(JsonProperty.class);
        return property != null && !property.value().isEmpty()
                ? property.value()
                : PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(field.getName());
    }

    /// The components of a record that are fields in JSON: those of a group stand in its place.
    public static List<RecordComponent> fields(Class<?> type) {
        return Stream.of(type.getRecordComponents())
                .flatMap(component -> isGroup(component)
                        ? fields(component.getType()).stream()
                        : Stream.of(component))
                .toList();
    }

    private static boolean isGroup(RecordComponent component) {
        return component.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
    }

    private static <T> T read(JsonMapper mapper, JsonNode json, Class<T> type) {
        try {
            return mapper.treeToValue(json, type);
        } catch (JsonProcessingException e) {
            throw new Invalid(JsonFault.of(e, json));
        }
    }
}

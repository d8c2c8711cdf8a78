package io.mlestar.core.base;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// Explains in words of JSON, and not of Java, why a value could not be read.
final class JsonFault {
    /// A list of more fields than that is not read.
    private static final int MOST_LISTED = 12;

    private JsonFault() {}

    static String of(JsonProcessingException e, JsonNode json) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof Invalid invalid) {
                return invalid.getMessage();
            }
        }
        return switch (e) {
            case UnrecognizedPropertyException unknown -> unknownField(path(unknown),
                    unknown.getPropertyName(),
                    unknown.getKnownPropertyIds().stream().map(Object::toString).sorted().toList());
            case InvalidFormatException wrong when wrong.getTargetType().isEnum()
                    && wrong.getValue() instanceof String value ->
                path(wrong) + " must be "
                        + kind(wrong.getTargetType()) + ", but is \"" + value + "\""
                        + Spelling.question(value, constants(wrong.getTargetType()));
            case MismatchedInputException wrong when !wrong.getPath().isEmpty()
                    && wrong.getTargetType() != null
                    && (wrong.getOriginalMessage().startsWith("Cannot ")
                            || wrong instanceof InvalidFormatException) ->
                at(wrong, json).isMissingNode()
                        ? path(wrong) + " is required"
                        : path(wrong) + " must be " + kind(wrong.getTargetType())
                                + ", but is " + Excerpt.line(at(wrong, json).toString(), 60);
            case JsonMappingException big when String.valueOf(big.getCause())
                    .contains("out of range of") ->
                path(big) + " is too large a number: " + Excerpt.line(at(big, json).toString(), 60);
            case JsonMappingException missing when missing.getOriginalMessage()
                    .startsWith("Null value for creator property") ->
                path(missing) + " is required";
            case JsonMappingException mapping when !mapping.getPath().isEmpty() ->
                path(mapping) + ": " + mapping.getOriginalMessage();
            default -> e.getOriginalMessage();
        };
    }

    /// The part of the JSON that holds the wrong value.
    private static JsonNode at(JsonMappingException e, JsonNode json) {
        JsonNode at = json;
        for (JsonMappingException.Reference step : e.getPath()) {
            at = step.getFieldName() == null
                    ? at.path(step.getIndex())
                    : at.path(step.getFieldName());
        }
        return at;
    }

    static String unknownField(String path, String name, List<String> known) {
        String question = Spelling.question(name, known);
        String unknown = "unknown field " + path;
        if (!question.isEmpty()) {
            return unknown + question;
        }
        return unknown + (known.size() > MOST_LISTED
                ? "; docs/settings.md lists the fields"
                : "; known are " + String.join(", ", known));
    }

    /// The type of a field in words of JSON and not of Java, e.g. `a text`.
    private static String kind(Class<?> type) {
        if (type.isEnum()) {
            return "one of " + constants(type);
        }
        if (type == String.class) {
            return "a text";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == int.class || type == Integer.class || type == long.class
                || type == Long.class) {
            return "a whole number";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a number";
        }
        if (type == Instant.class) {
            return "a time";
        }
        return Collection.class.isAssignableFrom(type) ? "a list" : "a map of fields";
    }

    private static List<String> constants(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> Json.tree(constant).asText())
                .toList();
    }

    private static String path(JsonMappingException e) {
        return e.getPath()
                .stream()
                .map(step -> step.getFieldName() == null
                        ? "[" + step.getIndex() + "]"
                        : step.getFieldName())
                .collect(Collectors.joining("."));
    }
}

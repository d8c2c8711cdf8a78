package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.interfaces.Described;
import module java.base;

/// The requests that a provider takes, by a schema of `src/test/resources/protocols`. Providers
/// refuse what they do not know, so a field that the schema lacks is as wrong as one that is
/// missing.
record Protocol(Described schema) {
    /// One message of a conversation, as far as tools go.
    ///
    /// @param calls ids of the calls that the model makes in it
    /// @param results ids of the calls that it brings the results of
    record Turn(List<String> calls, List<String> results) {}

    static Protocol of(String name) {
        Path file = Path.of("src/test/resources/protocols").resolve(name + ".yaml");
        try {
            JsonNode schema = new YAMLMapper().readTree(file.toFile());
            return new Protocol(Described.by(Json.parse(schema.toString())).strictly());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void check(JsonNode body, Consumer<String> violations) {
        schema.problems(Json.object(), body).forEach(violations);
    }

    /// Every call is answered by the very next message, and nothing is answered that was not
    /// called.
    static void checkTurns(List<Turn> turns, Consumer<String> violations) {
        for (int i = 0; i <= turns.size(); i++) {
            List<String> called = i == 0 ? List.of() : turns.get(i - 1).calls();
            List<String> answered = i == turns.size() ? List.of() : turns.get(i).results();
            if (!Set.copyOf(called).equals(Set.copyOf(answered)) || called.size() != answered.size()) {
                violations.accept("messages[" + i + "]: tool calls " + called
                        + " must be answered here, but the results are of " + answered);
            }
        }
    }

    /// OpenAI's "strict" mode wants each field of a schema among the required ones.
    static void checkAllRequired(JsonNode schema, Consumer<String> violations) {
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema.path("properties").fieldNames().forEachRemaining(name -> {
            if (!required.contains(name)) {
                violations.accept("required must list " + name);
            }
        });
        schema.forEach(part -> checkAllRequired(part, violations));
    }

    /// OpenAI's arguments of a call are the text of an object.
    static void checkArguments(JsonNode messages, Consumer<String> violations) {
        for (String arguments : messages.findValuesAsText("arguments")) {
            try {
                if (!Json.parse(arguments).isObject()) {
                    violations.accept("arguments must be an object: " + arguments);
                }
            } catch (Invalid e) {
                violations.accept("arguments must be JSON: " + arguments);
            }
        }
    }
}

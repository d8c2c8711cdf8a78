package io.mlestar.interfaces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import io.mlestar.ProjectFiles;
import io.mlestar.core.base.Json;
import module java.base;

/// A document with schemas, and whether something is what it says.
public final class Described {
    private static final SchemaValidatorsConfig FORMATS =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
    private final ObjectNode document;
    private final Map<String, JsonSchema> compiled = new ConcurrentHashMap<>();

    private Described(ObjectNode document) {
        this.document = document;
    }

    /// One of the program's own.
    static Described by(String file) {
        return new Described((ObjectNode) Json.parse(ProjectFiles.text(Interfaces.FOLDER.resolve(file))));
    }

    public static Described by(JsonNode document) {
        return new Described(document.deepCopy());
    }

    /// The same without room for undescribed fields: a new field needs a description. A schema that
    /// says something of `additionalProperties` stays as it is.
    public Described strictly() {
        ObjectNode copy = document.deepCopy();
        close(copy);
        return new Described(copy);
    }

    private static void close(JsonNode node) {
        if (node instanceof ObjectNode schema && schema.path("type").asText().equals("object")
                && schema.path("properties").isObject()
                && !schema.has("additionalProperties")) {
            schema.put("additionalProperties", false);
        }
        node.forEach(Described::close);
    }

    ObjectNode document() {
        return document;
    }

    JsonNode at(String pointer) {
        JsonNode found = document.at(pointer);
        return found.has("$ref") && found.size() == 1 ? at(found.path("$ref").asText().substring(1)) : found;
    }

    /// @param pointer of the schema in the document
    /// @return sentences; none if the value is what the schema says
    List<String> problems(String pointer, JsonNode value) {
        return problems(Json.object().put("$ref", "#" + pointer), value);
    }

    /// @param schema that may refer to the document's own
    public List<String> problems(JsonNode schema, JsonNode value) {
        return compiled.computeIfAbsent(schema.toString(), one -> {
            ObjectNode whole = document.deepCopy();
            whole.put("$schema", "https://json-schema.org/draft/2020-12/schema").putArray("allOf").add(schema);
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(whole, FORMATS);
        }).validate(value).stream().map(problem -> problem.getMessage()).toList();
    }
}

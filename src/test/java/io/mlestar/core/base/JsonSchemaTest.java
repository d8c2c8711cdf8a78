package io.mlestar.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.task.Answers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonSchemaTest {
    static Stream<Class<?>> answers() {
        return Stream.of(Answers.class.getDeclaredClasses());
    }

    @Test
    @Requirement({"REQ-DM-041", "REQ-DM-019"})
    void nestedAnswersHaveTheShapeOfTheRequirements() {
        assertThat(JsonSchema.of(Answers.LeakageDetectionOutput.class)).isEqualTo(Json
                .parse("""
                        {"type": "object", "additionalProperties": false, "required": ["answers"],
                                "properties": {"answers": {"type": "array", "items":
                          {"type": "object", "additionalProperties": false, "required": ["leakage_status", "reason", "code_block"], "properties": {
                            "leakage_status": {"type": "string", "enum": ["Yes Data Leakage", "No Data Leakage"]},
                            "reason": {"type": "string"},
                            "code_block": {"type": "string"}}}}}}
                        """));
    }

    @ParameterizedTest
    @MethodSource("answers")
    @Requirement({"REQ-DM-041", "REQ-DM-014", "REQ-DM-015", "REQ-DM-016", "REQ-DM-017", "REQ-DM-018", "REQ-DM-020",
        "REQ-DM-048"})
    void everyAnswerIsAnObjectWithAllItsFieldsRequired(Class<?> answer) {
        JsonNode schema = JsonSchema.of(answer);

        assertThat(answers()).hasSize(7);
        assertThat(schema.path("type").asText()).isEqualTo("object");
        assertThat(schema.path("required")).extracting(JsonNode::asText)
                .containsExactlyElementsOf(() -> schema.path("properties").fieldNames())
                .hasSize(answer.getRecordComponents().length);
        assertThat(schema.findValuesAsText("type")).isSubsetOf("object", "array", "string");
    }
}

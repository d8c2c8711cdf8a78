package io.mlestar.core.base;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.grade.Table;
import io.mlestar.app.start.YamlFile;
import io.mlestar.core.task.Answers;
import module java.base;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// JSON that is read, and the refusal of what cannot be.
@Timeout(60)
class JsonTest {
    private static final List<String> KNOWN = List.of("planner", "ens_planner", "coder", "status", "runs", "run");

    record Inner(int number) {}

    record Outer(String someText, Instant at, List<Inner> inner, Optional<String> maybe) {
        boolean isEmpty() {
            return someText == null;
        }
    }

    @Test
    @Requirement("REQ-DM-048")
    void namesAreSnakeCaseNullsAreWrittenAndTimesAreIso() {
        Outer outer = new Outer(null, Instant.EPOCH, List.of(new Inner(1)), Optional.empty());

        assertThat(new String(Json.bytes(outer), StandardCharsets.UTF_8))
                .isEqualTo(
                        """
                                {"some_text":null,"at":"1970-01-01T00:00:00Z","inner":[{"number":1}],"maybe":null}""");
        assertThat(Json.read(Json.parse(Json.bytes(outer)), Outer.class)).isEqualTo(outer);
    }

    @Test
    void unknownFieldsAreIgnoredOnlyWhereTheProgramWrote() {
        assertThat(Json.read(Json.parse("{\"number\": 1, \"colour\": 2}"), Inner.class)).isEqualTo(new Inner(1));
        refusal(() -> Json.readStrictly(Json.parse("{\"inner\": [{\"number\": 1, \"colour\": 2}]}"), Outer.class))
                .isEqualTo("unknown field inner.[0].colour; known are number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"a\": 1} trailing", "{} {}", "{'a': 1}", "nonsense"})
    void textThatIsNotExactlyOneValueIsRefused(String text) {
        assertThatThrownBy(() -> Json.read(Json.parse(text), Inner.class)).isInstanceOf(Invalid.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"number\": null}", "{\"number\": \"x\"}", "{\"number\": {}}", "{\"number\": 1.5}"})
    void wholeNumbersAreNeitherMissingNorCut(String text) {
        refusal(() -> Json.read(Json.parse(text), Inner.class)).contains("number");
    }

    @Test
    void halfACharacterIsStillWritable() {
        // A model's answer cut at a fixed length may end within a surrogate pair.
        assertThat(Json.parse(Json.bytes(List.of("ab\ud83d"))).get(0).asText()).startsWith("ab");
    }

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

    @Test
    void aPipeIsNotWaitedForInPlaceOfAFile(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("rows.csv");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "needs mkfifo");
        for (ThrowingCallable read : new ThrowingCallable[] {() -> Invalid.file("it", pipe),
            () -> Table.open("--rows", pipe), () -> YamlFile.map(pipe), () -> YamlFile.map(Path.of("/dev/null"))}) {
            refusal(read).contains("give a regular file");
        }
        assertThat(Invalid.file("it",
                Files.createSymbolicLink(folder.resolve("link"), Files.createFile(folder.resolve("rows"))))).exists();
        assertThat(Invalid.file("it", folder.resolve("missing"))).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"planer, planner", "ensplaner, ens_planner", "stauts, status", "rnu, run", "code, coder",
        "Coder, coder"})
    void aWordThatIsNearlyRightIsRecognized(String word, String meant) {
        assertThat(Spelling.nearest(word, KNOWN)).contains(meant);
        assertThat(Spelling.question(word, KNOWN)).isEqualTo("; did you mean " + meant + "?");
    }

    @Test
    void aWordThatIsLikeNoneIsNot() {
        assertThat(Spelling.question("painter-of-pictures", KNOWN)).isEmpty();
        assertThat(Spelling.question("", KNOWN)).isEmpty();
        assertThat(Spelling.question("x".repeat(100_000), KNOWN)).isEmpty();
    }
}

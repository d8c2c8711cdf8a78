package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.Answers.RefinePlan;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingTest {
    private static final String PLAIN = "{\"plans\": [{\"code_block\": \"x = 1\", \"plan\": \"Scale x.\"}]}";
    private static final String ELEMENT = "{\"code_block\": \"x = 1\", \"plan\": \"Scale x.\"}";

    private static ExtractorOutput read(String answer) {
        return Reading.json(answer, ExtractorOutput.class, "plans");
    }

    static Stream<Arguments> understood() {
        return Stream.of(
                Arguments.of("plain", PLAIN),
                Arguments.of("white space around", "\n\n " + PLAIN + "\r\n"),
                Arguments.of("fenced", "```json\n" + PLAIN + "\n```"),
                Arguments.of("fenced without tag, text around", "Here:\n```\n" + PLAIN + "\n```\nDone."),
                Arguments.of("fence left open", "```json\n" + PLAIN),
                Arguments.of("text around", "The answer is " + PLAIN + " as asked."),
                Arguments.of("bare array", "[" + ELEMENT + "]"),
                Arguments.of("bare element", ELEMENT),
                Arguments.of("single quotes", PLAIN.replace('"', '\'')),
                Arguments.of("trailing commas",
                        "{\"plans\": [{\"code_block\": \"x = 1\", \"plan\": \"Scale x.\",},],}"),
                Arguments.of("comments", "{\"plans\": [ // the best first\n" + ELEMENT + "]}"),
                Arguments.of("unknown fields", "{\"thought\": \"hm\", \"plans\": [" + ELEMENT + "]}"),
                Arguments.of("a block beside it", "```python\nx = [1, 2]\n```\n```json\n" + PLAIN + "\n```"),
                Arguments.of("a block that is a list", "```python\n[1, 2]\n```\n```json\n" + PLAIN + "\n```"),
                Arguments.of("references before it", "As said in [1] and [2, 3]: " + PLAIN),
                Arguments.of("a dict before it", "With params {'lr': 0.1} and {\"a\": [1]} I say " + PLAIN),
                Arguments.of("the shape repeated before it",
                        "Refine_Plan = {'code_block': str, 'plan': str}\n" + PLAIN),
                Arguments.of("much code before it", "x = f(a[0], {1: 2})\n".repeat(500) + PLAIN),
                Arguments.of("empty brackets before it", "[] {} " + PLAIN),
                Arguments.of("a second answer behind it", PLAIN + "\n{\"plans\": []}"),
                Arguments.of("cut off behind the first element",
                        "{\"plans\": [" + ELEMENT + ", {\"code_block\": \"y ="));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("understood")
    @Requirement({"REQ-P2O-014", "REQ-P2O-015", "REQ-DM-041"})
    void whatAPersonWouldUnderstandIsUnderstood(String name, String answer) {
        assertThat(read(answer).plans()).containsExactly(new RefinePlan("x = 1", "Scale x."));
    }

    @Test
    @Requirement("REQ-P2O-015")
    void codeInStringsIsKeptToTheCharacter() {
        String block = "    s = '{\"a\": [1]}'  # ``` \\ \t 😀\n\n    t = \"x\"";
        String json = "{\"plans\":[{\"code_block\":%s,\"plan\":\"p\"}]}".formatted(Json.tree(block));
        String rawNewlines = "{'plans': [{'code_block': '    a = 1\n\tb = 2\n', 'plan': 'p'}]}";

        assertThat(read(json).plans().getFirst().codeBlock()).isEqualTo(block);
        assertThat(read("Take this: " + json).plans().getFirst().codeBlock()).isEqualTo(block);
        assertThat(read(rawNewlines).plans().getFirst().codeBlock()).isEqualTo("    a = 1\n\tb = 2\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "I cannot.", "42", "\"text\"", "null", "[]", "{}", "[1, 2]", "{\"plans\": []}",
        "{\"plans\": null}",
        "{\"plans\": [null]}", "{\"plans\": \"all\"}", "{\"plans\": [{\"plan\": \"p\"}]}",
        "{\"plans\": [{\"code_block\": \"x\", \"plan\": \"\"}]}",
        "{\"plans\": [{\"code_block\": {}, \"plan\": \"p\"}]}", "{\"plans\": [", "{'a': 1} {'b': 2}", "[[[[", "}{",
        "```json\n{\n```"})
    void anythingElseIsUnreadableAndNothingWorse(String answer) {
        assertThatThrownBy(() -> read(answer)).isInstanceOf(UnreadableAnswer.class);
    }

    @Test
    @Requirement("REQ-DM-017")
    void oneBadElementSpoilsTheAnswer() {
        assertThatThrownBy(() -> read("{\"plans\": [{\"code_block\": \"\", \"plan\": \"p\"}, %s]}".formatted(ELEMENT)))
                .isInstanceOf(UnreadableAnswer.class).hasMessageContaining("code_block is required");
    }

    @Test
    void theMessageTellsTheFaultAndTheBeginningOfTheAnswer() {
        assertThatThrownBy(() -> read("No plans today. " + "x".repeat(500))).isInstanceOf(UnreadableAnswer.class)
                .hasMessageStartingWith("no JSON in the answer; the answer began: No plans today. x")
                .hasMessageEndingWith("x…");
        assertThatThrownBy(() -> read("{\"plans\": []}")).isInstanceOf(UnreadableAnswer.class).hasMessage(
                "the answer breaks its schema: plans must hold at least one element; the answer began: {\"plans\": []}");
    }

    /// Models cut characters in two; no UTF-8 holds a half.
    @Test
    void halvesOfCharactersInAnAnswerDoNotKeepItFromBeingStored() {
        Answer.Usage usage = new Answer.Usage("m", 1, 1, 0, 0.0, 1);
        Answer raw = new Answer("```python\nx = '\ud83d'  # \udd8a \ud83e\udd8a\n```", usage, null, "", "");
        String code = raw.readBy(new Init("t", "m", "c", null)).code();
        assertThat(code).isEqualTo("x = '\ufffd'  # \ufffd \ud83e\udd8a");
        assertThat(Json.bytes(new Leakage(code))).isNotEmpty();
        assertThat(Json.bytes(raw)).isNotEmpty();

        Answer escaped = new Answer(PLAIN.replace("Scale x.", "Scale \\ud800 x, \\\\ud800, \\ud83e\\udd8a.")
                .replace("x = 1", "x = '\\udfff'"), usage, null, "", "");
        RefinePlan plan = Reading.json(escaped.text(), ExtractorOutput.class, "plans").plans().getFirst();
        assertThat(plan.plan()).isEqualTo("Scale \ufffd x, \\ud800, \ud83e\udd8a.");
        assertThat(plan.codeBlock()).isEqualTo("x = '\ufffd'");
        assertThat(Json.bytes(new Coder(plan.codeBlock(), plan.plan(), null, null))).isNotEmpty();
    }
}

package io.mlestar.core.agent;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.agent.CodeFences.Fence;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.Answers.RefinePlan;
import io.mlestar.core.task.Answers.RetrievedModel;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each agent reads the answer of a model: JSON and code, whatever stands around them.
class ReadingTest {
    private static final String PLAIN = """
            {"plans": [{"code_block": "x = 1", "plan": "Scale x."}]}""";
    private static final String ELEMENT = "{\"code_block\": \"x = 1\", \"plan\": \"Scale x.\"}";
    private static final String PROGRAM = "\n```python\nx = 1\n```\n";

    private static ExtractorOutput read(String answer) {
        return Reading.json(answer, ExtractorOutput.class, "plans");
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/cases/json-answers.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    @Requirement({"REQ-P2O-014", "REQ-P2O-015", "REQ-DM-041"})
    void whatAPersonWouldUnderstandIsUnderstood(String name, String answer) {
        assertThat(read(answer.translateEscapes()).plans()).containsExactly(new RefinePlan("x = 1", "Scale x."));
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
    @CsvFileSource(resources = "/cases/no-json.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    void anythingElseIsUnreadableAndNothingWorse(String answer) {
        assertThatThrownBy(() -> read(answer.translateEscapes())).isInstanceOf(UnreadableAnswer.class);
    }

    @Test
    @Requirement("REQ-DM-017")
    void oneBadElementSpoilsTheAnswer() {
        refusal(UnreadableAnswer.class,
                () -> read("""
                        {"plans": [{"code_block": "", "plan": "p"}, %s]}""".formatted(ELEMENT)))
                .contains("code_block is required");
    }

    @Test
    void theMessageTellsTheFaultAndTheBeginningOfTheAnswer() {
        refusal(UnreadableAnswer.class, () -> read("No plans today. " + "x".repeat(500)))
                .startsWith("no JSON in the answer; the answer began: No plans today. x").endsWith("x…");
        refusal(UnreadableAnswer.class, () -> read("{\"plans\": []}")).isEqualTo(
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

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/cases/code-fences.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    @Requirement({"REQ-SF-005", "REQ-SF-004", "REQ-P2O-004", "REQ-P2I-004", "REQ-P1-011", "REQ-P1-016"})
    void theInnerTextOfAFenceIsTheCode(String name, String answer, String code) {
        assertThat(CodeFences.code(answer.translateEscapes())).contains(code.translateEscapes());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/programs.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    @Requirement("REQ-SF-005")
    void anUnfencedProgramIsTakenWholeAndTrimmed(String escaped) {
        String program = escaped.translateEscapes();
        assertThat(CodeFences.code("\n\n" + program + "\r\n ")).contains(program);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/no-code.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    @Requirement("REQ-SF-005")
    void proseAndEmptyFencesAreNoCode(String answer) {
        assertThat(CodeFences.code(answer.translateEscapes())).isEmpty();
    }

    @Test
    void tagsAreTheFirstWordInLowerCase() {
        assertThat(CodeFences.fences("```JSON\n{}\n```\ntext\n~~~Py:train.py\nx\n~~~\n```\ny"))
                .containsExactly(new Fence("json", "{}", true), new Fence("py", "x", true), new Fence("", "y", false));
    }

    @Test
    void aFenceOnOneLineIsNone() {
        assertThat(CodeFences.fences("Use ```x = 1``` here, or\n```x = 1```\n`` ` ``")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101})
    void thereIsAMostOfEditsWhichTheAgentIsTold(int edits) {
        String answer = "<<<<<<< SEARCH\nx = 1\n=======\nx = 1\n>>>>>>> REPLACE\n".repeat(edits);
        Debugger debugger = new Debugger("x = 1\n", "b", null, null, null);
        if (edits <= 100) {
            assertThat(debugger.read(answer).code()).isEqualTo("x = 1\n");
        } else {
            refusal(UnreadableAnswer.class, () -> debugger.read(answer))
                    .startsWith("there are more than 100 edits: write the whole script");
        }
    }

    @Test
    void soThereIsOfProse() {
        String prose = "word ".repeat(10_000);
        assertThat(Given.PLANNER.read(prose).plan()).hasSize(49_999);
        assertThatThrownBy(() -> Given.PLANNER.read(prose + "more"))
                .hasMessageStartingWith("the text has more than 50000 characters");
        assertThatThrownBy(() -> Given.SCRIPT_CODER.read(prose + "more" + PROGRAM))
                .hasMessageStartingWith("there are more than 50000 characters before the script");
        assertThat(Given.SCRIPT_CODER.read(prose.substring(40) + "\nKind: solution\n" + PROGRAM).tried())
                .hasSizeLessThan(2_010);
    }

    private static String models(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj("{\"model_name\": \"m%1$d\", \"example_code\": \"c%1$d\"}"::formatted)
                .collect(Collectors.joining(", "));
    }

    @Test
    @Requirement({"REQ-P1-004", "REQ-P1-005", "REQ-P1-007"})
    void theRetrieverReadsItsModelsKeepsTheFirstMAndIsContentWithFewer() {
        assertThat(new Retriever("t", 2, null).read("Found: {\"models\": [" + models(2) + "]}").models())
                .containsExactly(new RetrievedModel("m1", "c1"), new RetrievedModel("m2", "c2"));
        assertThat(new Retriever("t", 2, null).read("As [1] and [2] show:\n\n[" + models(1) + "]").models()).hasSize(1);
        assertThat(new Retriever("t", 2, null).read("{\"models\": [" + models(5) + "]}").models())
                .extracting(RetrievedModel::modelName).containsExactly("m1", "m2");
        assertThat(new Retriever("t", 4, null).read("{\"models\": [" + models(3) + "]}").models()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"model_name\": \"\", \"example_code\": \"c\"}",
        "{\"model_name\": \"m\", \"example_code\": \" \\n\"}",
        "{\"model_name\": \"m\"}", "{}", "null", "7", "\"m\"", "[]",
        "{\"model_name\": \"model_name\", \"example_code\": \"example_code\"}",
        """
                {"model_name": "<str>", "example_code": "c"}""", "{\"model_name\": \"m\", \"example_code\": \"...\"}"})
    @Requirement("REQ-P1-006")
    void theRetrieverDropsModelsThatAreNotWhole(String broken) {
        assertThat(new Retriever("t", 2, null).read("{\"models\": [" + broken + ", " + models(3) + "]}").models())
                .extracting(RetrievedModel::modelName).containsExactly("m1", "m2");
        refusal(UnreadableAnswer.class, () -> new Retriever("t", 2, null).read("{\"models\": [" + broken + "]}"))
                .startsWith("A_retriever returned zero models");
    }

    /// @param read what is read of the answer, as JSON
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/answers.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    @Requirement({"REQ-SF-004", "REQ-SF-014", "REQ-SF-015", "REQ-SF-027", "REQ-SF-028", "REQ-P1-011", "REQ-P1-016",
        "REQ-P2O-004", "REQ-P2O-011", "REQ-P2I-004", "REQ-P2I-005", "REQ-P2I-012", "REQ-P2I-013", "REQ-P3-006",
        "REQ-P3-009", "REQ-FN-029", "REQ-DM-020"})
    void eachAgentReadsWhatItAskedFor(String agents, String answer, String read) {
        for (String name : agents.split(" ")) {
            assertThat(Json.tree(given(name).read(answer.translateEscapes()))).as(name).isEqualTo(Json.parse(read));
        }
    }

    private static Agent<?> given(String name) {
        return Given.agents().stream().filter(agent -> agent.name().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/unreadable-answers.csv", delimiter = '|', quoteCharacter = '^',
            numLinesToSkip = 1)
    @Requirement("REQ-DM-018")
    void anyOtherAnswerIsUnreadable(String name, String answer) {
        Agent<?> agent = given(name);
        assertThatThrownBy(() -> agent.read(answer.translateEscapes())).isInstanceOf(UnreadableAnswer.class);
    }
}

package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Answers.DataContaminationResult;
import io.mlestar.core.task.Answers.LeakageAnswer;
import io.mlestar.core.task.Answers.LeakageAnswer.LeakageStatus;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.ContaminationVerdict;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How each agent reads the model's answer.
class AgentAnswersTest {
    private static final String FENCED = "Done:\n```python\n    x = 1\n```\nNice.";

    static Stream<Agent<Reply.Code>> programmers() {
        return Stream.of(Given.INIT, Given.MERGER, Given.ABLATION, Given.ENSEMBLER, Given.DEBUGGER, Given.TEST);
    }

    static Stream<Agent<Reply.Block>> blockWriters() {
        return Stream.of(Given.CODER, Given.LEAKAGE_CORRECTION, Given.SUBSAMPLING_REMOVE);
    }

    static Stream<Agent<?>> talkers() {
        return Stream.of(Given.PLANNER, Given.ENS_PLANNER, Given.SUMMARIZE);
    }

    private static String models(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj("{\"model_name\": \"m%1$d\", \"example_code\": \"c%1$d\"}"::formatted)
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @MethodSource("programmers")
    @Requirement({"REQ-SF-004", "REQ-P1-011", "REQ-P1-016", "REQ-P2O-004"})
    void aProgramIsWhatStandsInTheFence(Agent<Reply.Code> agent) {
        assertThat(agent.read(FENCED)).isEqualTo(new Reply.Code("    x = 1"));
        assertThatThrownBy(() -> agent.read("I do not know.")).isInstanceOf(UnreadableAnswer.class)
                .hasMessageContaining("no code");
    }

    @ParameterizedTest
    @MethodSource("blockWriters")
    @Requirement({"REQ-P2I-004", "REQ-P2I-005"})
    void aBlockKeepsItsIndentation(Agent<Reply.Block> agent) {
        assertThat(agent.read(FENCED)).isEqualTo(new Reply.Block("    x = 1"));
        assertThatThrownBy(() -> agent.read("```\n```")).isInstanceOf(UnreadableAnswer.class);
    }

    @ParameterizedTest
    @MethodSource("talkers")
    @Requirement({"REQ-P2O-011", "REQ-P2I-012", "REQ-P2I-013", "REQ-P3-006", "REQ-P3-009"})
    void proseIsTakenWhole(Agent<?> agent) {
        String answer = "Baseline 0.8. Use `{x}`:\n```python\ny\n```";

        assertThat(agent.read("\n " + answer + " \n"))
                .isIn(new Reply.Plan(answer), new Reply.Summary(answer));
        assertThatThrownBy(() -> agent.read(" \n")).isInstanceOf(UnreadableAnswer.class);
    }

    @Test
    @Requirement({"REQ-P1-004", "REQ-P1-007"})
    void theRetrieverReadsItsModels() {
        assertThat(new Retriever("t", 2, null).read("Found: {\"models\": [" + models(2) + "]}").models())
                .containsExactly(new RetrievedModel("m1", "c1"), new RetrievedModel("m2", "c2"));
        assertThat(new Retriever("t", 2, null).read("As [1] and [2] show:\n\n[" + models(1) + "]").models()).hasSize(1);
    }

    @Test
    @Requirement({"REQ-P1-005", "REQ-P1-007"})
    void theRetrieverKeepsTheFirstMAndIsContentWithFewer() {
        assertThat(new Retriever("t", 2, null).read("{\"models\": [" + models(5) + "]}").models())
                .extracting(RetrievedModel::modelName).containsExactly("m1", "m2");
        assertThat(new Retriever("t", 4, null).read("{\"models\": [" + models(3) + "]}").models()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"model_name\": \"\", \"example_code\": \"c\"}",
        "{\"model_name\": \"m\", \"example_code\": \" \\n\"}",
        "{\"model_name\": \"m\"}", "{}", "null", "7", "\"m\"", "[]",
        "{\"model_name\": \"model_name\", \"example_code\": \"example_code\"}",
        "{\"model_name\": \"<str>\", \"example_code\": \"c\"}", "{\"model_name\": \"m\", \"example_code\": \"...\"}"})
    @Requirement("REQ-P1-006")
    void theRetrieverDropsModelsThatAreNotWhole(String broken) {
        assertThat(new Retriever("t", 2, null).read("{\"models\": [" + broken + ", " + models(3) + "]}").models())
                .extracting(RetrievedModel::modelName).containsExactly("m1", "m2");
        assertThatThrownBy(() -> new Retriever("t", 2, null).read("{\"models\": [" + broken + "]}"))
                .isInstanceOf(UnreadableAnswer.class).hasMessageStartingWith("A_retriever returned zero models");
    }

    @Test
    @Requirement({"REQ-SF-014", "REQ-SF-015"})
    void leakageIsReadAsAListOfAnswers() {
        assertThat(Given.LEAKAGE
                .read("""
                        {"answers": [{"leakage_status": "Yes Data Leakage", "reason": "It scales by all rows.", "code_block": "scaler.fit(df)"},
                                     {"leakage_status": "No Data Leakage", "code_block": ""}]}
                        """)
                .answers())
                .containsExactly(new LeakageAnswer(LeakageStatus.YES, "It scales by all rows.", "scaler.fit(df)"),
                        new LeakageAnswer(LeakageStatus.NO, "", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"No Data Leakage", "{\"answers\": []}",
        "{\"answers\": [{\"leakage_status\": \"Yes\", \"code_block\": \"x\"}]}",
        "{\"answers\": [{\"leakage_status\": 0, \"code_block\": \"x\"}]}",
        "{\"answers\": [{\"leakage_status\": \"Yes Data Leakage\"}]}"})
    @Requirement("REQ-DM-018")
    void anythingButTheTwoStatusesIsUnreadable(String answer) {
        assertThatThrownBy(() -> Given.LEAKAGE.read(answer)).isInstanceOf(UnreadableAnswer.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"All the provided information is used.", "**ALL THE PROVIDED INFORMATION IS USED.**",
        "I checked. All the provided information is used.\n```python\nimport os\n```"})
    @Requirement({"REQ-SF-027", "REQ-SF-028"})
    void theDataAgentsConfirmationWinsOverCode(String answer) {
        assertThat(Given.DATA.read(answer)).isEqualTo(new Reply.DataUsage(null));
    }

    @Test
    @Requirement({"REQ-SF-027", "REQ-SF-028"})
    void theDataAgentsCodeIsTakenFromItsFenceOrWhole() {
        String program = "import pandas as pd\nprint(f'Final Validation Performance: {s}')";

        assertThat(Given.DATA.read("```python\nimport pandas as pd\n```"))
                .isEqualTo(new Reply.DataUsage("import pandas as pd"));
        assertThat(Given.DATA.read(program)).isEqualTo(new Reply.DataUsage(program));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"All information is used", "The images are not used.", "import pandas as pd", "", "```\n```"})
    void theDataAgentMustConfirmOrGiveCode(String answer) {
        assertThatThrownBy(() -> Given.DATA.read(answer)).isInstanceOf(UnreadableAnswer.class);
    }

    @Test
    void noBlockMeansNoSubsampling() {
        assertThat(Given.SUBSAMPLING_EXTRACT.read("```python\n  df = df.sample(n=30000)\n```"))
                .isEqualTo(new Reply.Subsampling("  df = df.sample(n=30000)"));
        assertThat(Stream.of("No subsampling found.", "", "```python\n```"))
                .allSatisfy(answer -> assertThat(Given.SUBSAMPLING_EXTRACT.read(answer))
                        .isEqualTo(new Reply.Subsampling(null)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"verdict": "Novel"}             | NOVEL
            Same                             | SAME
            ```json {"verdict": "Same"} ```  | SAME
            I say {'verdict': 'Novel'}.      | NOVEL
            """)
    @Requirement({"REQ-FN-029", "REQ-DM-020"})
    void theVerdictIsOneOfTwoWords(String answer, ContaminationVerdict verdict) {
        assertThat(Given.CONTAMINATION_CHECK.read(answer)).isEqualTo(new DataContaminationResult(verdict));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "It is novel.", "{\"verdict\": \"Both\"}", "{\"verdict\": 1}", "Novel or Same"})
    void anyOtherVerdictIsUnreadable(String answer) {
        assertThatThrownBy(() -> Given.CONTAMINATION_CHECK.read(answer)).isInstanceOf(UnreadableAnswer.class);
    }
}

package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.MetricDirection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PromptsTest {
    static Stream<Agent<?>> agents() {
        return Given.agents().stream();
    }

    @Test
    @Requirement("REQ-DM-033")
    void allFiguresAreThereAndAllAgents() {
        assertThat(Given.PROMPTS.all()).extracting(PromptTemplate::agentType).contains(AgentType.values());
        assertThat(Given.PROMPTS.all()).extracting(PromptTemplate::figureRef)
                .filteredOn(figure -> figure.startsWith("Figure"))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.concat(IntStream.rangeClosed(9, 22), IntStream.rangeClosed(25, 28))
                                .mapToObj(n -> "Figure " + n).toList());
    }

    @ParameterizedTest
    @CsvSource({"LEAKAGE, , Figure 20", "LEAKAGE, detection, Figure 20", "LEAKAGE, correction, Figure 21",
        "TEST, , Figure 25",
        "TEST, subsampling_extract, Figure 26", "TEST, subsampling_remove, Figure 27",
        "TEST, contamination_check, Figure 28",
        "DEBUGGER, , Figure 19", "DATA, , Figure 22"})
    @Requirement({"REQ-DM-034", "REQ-DM-035", "REQ-SF-033", "REQ-DM-032", "REQ-SF-001", "REQ-SF-011", "REQ-SF-016",
        "REQ-SF-024"})
    void variantsHaveTheirOwn(AgentType type, String variant, String figure) {
        PromptTemplate template = variant == null ? Given.PROMPTS.get(type) : Given.PROMPTS.get(type, variant);

        assertThat(template.figureRef()).isEqualTo(figure);
    }

    @ParameterizedTest
    @MethodSource("agents")
    @Requirement({"REQ-DM-030", "REQ-DM-031"})
    void agentAndTemplateAgreeOnTheVariables(Agent<?> agent) {
        PromptTemplate template = agent.variant().map(variant -> Given.PROMPTS.get(agent.type(), variant))
                .orElseGet(() -> Given.PROMPTS.get(agent.type()));

        assertThat(agent.variables(Given.context(MetricDirection.MAXIMIZE))).containsOnlyKeys(template.variables());
        assertThat(template.variables())
                .allSatisfy(variable -> assertThat(template.template()).containsPattern("\\{[#^]?" + variable + "}"));
    }

    @ParameterizedTest
    @MethodSource("agents")
    @Requirement("REQ-DM-031")
    void whatIsInsertedStandsInThePromptToTheCharacter(Agent<?> agent) {
        assertThat(agent.variables(Given.context(MetricDirection.MAXIMIZE)).values())
                .filteredOn(value -> !value.equals("true")).as("but for what says that a section applies")
                .allSatisfy(value -> assertThat(Given.prompt(agent)).contains(value));
        assertThat(Given.prompt(agent)).doesNotStartWith("---").doesNotContain("variables: [");
    }

    @Test
    void aFolderStandsInForSomeOfThem(@TempDir Path folder) throws IOException {
        String built = Files.readString(Path.of("prompts/coder.md"));
        Files.writeString(folder.resolve("coder.md"), built + "\nBe context.\n");
        Files.writeString(folder.resolve("..data"), "what a mounted ConfigMap holds besides");
        Prompts prompts = Prompts.load(Map.of("MLE_STAR_PROMPTS", folder.toString()));
        assertThat(prompts.get(AgentType.CODER).template()).endsWith("Be context.")
                .startsWith(Given.PROMPTS.get(AgentType.CODER).template());
        assertThat(prompts.get(AgentType.PLANNER)).isEqualTo(Given.PROMPTS.get(AgentType.PLANNER));
        assertThat(prompts.digest()).isNotEqualTo(Given.PROMPTS.digest());
        assertThat(prompts.digest(AgentType.CODER)).isNotEqualTo(Given.PROMPTS.digest(AgentType.CODER));
        assertThat(prompts.digest(AgentType.PLANNER)).isEqualTo(Given.PROMPTS.digest(AgentType.PLANNER));

        Files.writeString(folder.resolve("coder.md"), built);
        assertThat(Prompts.load(Map.of("MLE_STAR_PROMPTS", folder.toString())).digest())
                .isEqualTo(Given.PROMPTS.digest());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            wizard.md | -- | there is no prompt wizard.md
            coder.md | no header | the header must name the agent
            coder.md | ---;agent: planner;--- | must be those of the prompt it replaces
            coder.md | ---;agent: coder;variables: [code_block];--- | must be those of the prompt it replaces
            coder.md | ---;agent: [;--- | is not YAML
            """)
    void aFileThatFitsNoPromptIsNamed(String name, String text, String said, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve(name), text.replace(';', '\n') + "\nDo it.\n");
        assertThatThrownBy(() -> Prompts.load(Map.of("MLE_STAR_PROMPTS", folder.toString())))
                .isInstanceOf(Invalid.class).hasMessageContaining(name).hasMessageContaining(said);
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Prompts.load(Map.of("MLE_STAR_PROMPTS", "/nowhere"))).isInstanceOf(Invalid.class)
                .hasMessage("MLE_STAR_PROMPTS: /nowhere is not a folder");
    }

    @ParameterizedTest
    @CsvSource({"MAXIMIZE, maximized, higher", "MINIMIZE, minimized, lower"})
    @Requirement("REQ-OR-007")
    void theSystemPromptTellsPersonaTaskMetricAndHardware(MetricDirection direction, String goal, String better) {
        String system = Prompts.system(Given.context(direction));

        assertThat(system.replaceAll("\\s+", " "))
                .startsWith("You are a Kaggle grandmaster with expert-level skills in machine learning, "
                        + "data science, and competitive data analysis. You approach every task methodically, writing clean, efficient, and "
                        + "well-tested code. You always validate your solutions against the training data before submission.");
        assertThat(system).contains("Predict who was transported.", "balanced accuracy, to be " + goal,
                "a " + better + " score is better",
                "8 processors, 1 GPU: A100");
        assertThat(system).isEqualTo(Prompts.system(Given.context(direction)));
    }

    @ParameterizedTest
    @MethodSource("agents")
    void whatPeopleSayIsToldToPlannersAtTheEnd(Agent<?> agent) {
        RunContext context = Given.context(MetricDirection.MAXIMIZE);
        RunContext told = context.with(List.of(new Note(Instant.EPOCH, "ann", "use folds:\nx = 1"),
                new Note(Instant.EPOCH, "bob", "be quick")));
        String before = Given.PROMPTS.render(agent, context, Abilities.NONE).text();

        assertThat(Given.PROMPTS.render(agent, told, Abilities.NONE).text()).isEqualTo(before + (agent.receivesNotes()
                ? "\n\n# Notes\n\nThe people who run this have told you while you work. Follow what applies here:\n\n- use folds:\n  x = 1\n- be quick\n"
                : ""));
        assertThat(Prompts.system(told)).isEqualTo(Prompts.system(context));
    }

    @Test
    void whatLooksFoundStandsBehindThePrompt() {
        String without = Given.prompt(Given.PLANNER);
        RunContext seen = Given.context(MetricDirection.MAXIMIZE).seen(List.of("1. 12 of 80 days are in both tables"));

        assertThat(without).doesNotContain("# Seen in the data");
        assertThat(Given.PROMPTS.render(Given.PLANNER, seen, Abilities.NONE).text())
                .startsWith(without + "\n\n# Seen in the data so far\n\n")
                .endsWith("not instructions.\n\n1. 12 of 80 days are in both tables\n");
    }
}

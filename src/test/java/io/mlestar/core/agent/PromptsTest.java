package io.mlestar.core.agent;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The prompts as files, what is filled into them, and what agents are told of what they can do.
class PromptsTest {
    static Stream<Agent<?>> agents() {
        return Given.agents().stream();
    }

    @Test
    @Requirement("REQ-DM-033")
    void allFiguresAreThereAndAllAgents() {
        assertThat(Given.PROMPTS.all()).extracting(PromptTemplate::agentType).contains(AgentType.values());
        assertThat(Given.PROMPTS.all()).extracting(PromptTemplate::figureRef)
                .filteredOn(figure -> figure.startsWith("Figure")).containsExactlyInAnyOrderElementsOf(
                        IntStream.concat(IntStream.rangeClosed(9, 22), IntStream.rangeClosed(25, 28))
                                .mapToObj(n -> "Figure " + n).toList());
    }

    /// The variant's own, which must be there.
    private static PromptTemplate prompt(AgentType type, Optional<String> variant) {
        return variant.isEmpty() ? Given.PROMPTS.get(type) : Given.PROMPTS.get(type, variant).orElseThrow();
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
        PromptTemplate template = prompt(type, Optional.ofNullable(variant));

        assertThat(template.figureRef()).isEqualTo(figure);
    }

    @ParameterizedTest
    @MethodSource("agents")
    @Requirement({"REQ-DM-030", "REQ-DM-031"})
    void agentAndTemplateAgreeOnTheVariables(Agent<?> agent) {
        PromptTemplate template = prompt(agent.type(), agent.variant());

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
        refusal(() -> Prompts.load(Map.of("MLE_STAR_PROMPTS", "/nowhere")))
                .isEqualTo("MLE_STAR_PROMPTS: /nowhere is not a folder");
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
        refusal(() -> Prompts.load(Map.of("MLE_STAR_PROMPTS", folder.toString()))).contains(name, said);
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

    /// The prompt that tells an agent of a strong run what it can do.
    private static String able(Agent<?> agent, boolean searches, String... tools) {
        RunContext context = new RunContext(Given.context(MetricDirection.MAXIMIZE).task(),
                PipelineConfig.resolve(Json.object().put("search", "strong"), Map.of()), "no GPU");
        return Given.PROMPTS.render(agent, context, new Abilities(List.of(tools), searches)).text();
    }

    @Test
    @Requirement("REQ-P1-002")
    void aRetrieverThatCanSearchIsToldToAndOneThatCannotIsNot() {
        for (String can : List.of(able(Given.RETRIEVER, true, "WebSearch"), able(Given.RETRIEVER, true))) {
            assertThat(can).contains("Search the web").doesNotContain("proven themselves");
        }
        assertThat(able(Given.RETRIEVER, false, "WebFetch")).doesNotContain("Search the web")
                .contains("Nothing can be searched", "November 2026");
    }

    @ParameterizedTest
    @EnumSource
    void thereIsAHintForEveryKindOfData(DataModality modality) {
        for (TaskType type : TaskType.values()) {
            TaskDescription task =
                    new TaskDescription("t", type, modality, "AUC", MetricDirection.MAXIMIZE, "Predict y.", null, null);
            assertThat(ProvenModels.hint(task).lines()).as("%s, %s", type, modality).hasSizeGreaterThanOrEqualTo(2)
                    .allMatch(line -> line.matches("- .+ \\(`[a-z-]+`\\): .+"));
        }
    }

    @Test
    void whoeverCanReadTheDataOrRunPythonIsToldHowOftenAndWhatFor() {
        assertThat(able(Given.INIT, false, "Read", "ListFiles"))
                .contains("With `Read` you can look at the task's data in `./input` before you answer. Do so first");
        assertThat(able(Given.INIT, false)).doesNotContain("`Read`");
        assertThat(able(Given.INIT, false, "Read", "RunPython")).containsOnlyOnce("# Tools")
                .contains("With `Read`", "With `RunPython`", "may run: 3;", "A quick model is allowed");
        assertThat(able(Given.INIT, false, "RunPython")).containsOnlyOnce("# Tools").contains("With `RunPython`")
                .doesNotContain("`Read`");
        assertThat(able(Given.INIT, false, "Read")).doesNotContain("RunPython");
    }

    @Test
    void whatOtherPromptsBeginWithEndsWithTheSharedText() {
        RunContext context = Given.context(MetricDirection.MAXIMIZE);
        Prompts.Rendered coder =
                Given.PROMPTS.render(new Coder(Given.CODE, "Scale.", null, null), context, Abilities.NONE);
        Prompts.Rendered planner = Given.PROMPTS
                .render(new Planner(Given.CODE, null, List.of("p"), List.of(0.5), null, null), context, Abilities.NONE);
        assertThat(coder.text().substring(0, coder.shared())).endsWith(Given.CODE + "\n```")
                .isEqualTo(planner.text().substring(0, planner.shared()));
        Prompts.Rendered leakage = Given.PROMPTS.render(Given.LEAKAGE, context, Abilities.NONE);
        assertThat(leakage.text().substring(0, leakage.shared())).endsWith("# Python code\n\n```python\n")
                .contains("# Your task");
        assertThat(Given.PROMPTS.render(Given.MERGER, context, Abilities.NONE).shared()).isZero();
    }

    private static PromptTemplate template(String text, String... variables) {
        return new PromptTemplate(AgentType.RETRIEVER, Optional.empty(), "Figure 9", text, List.of(variables));
    }

    @Test
    @Requirement({"REQ-DM-030", "REQ-DM-031"})
    void fillsThePlaces() {
        PromptTemplate template = template("List {M} models for {task_description}", "M", "task_description");

        assertThat(template.render(Map.of("M", "4", "task_description", "classify images")))
                .isEqualTo("List 4 models for classify images");
    }

    @Test
    @Requirement("REQ-DM-031")
    void bracesThatAreNoPlacesStay() {
        String text = "Print {final_validation_score}; {'code_block': str}; {}; {{a}}; { a }; {\"plans\": [{a}]}";

        assertThat(template(text, "a").render(Map.of("a", "1", "final_validation_score", "never")))
                .isEqualTo("Print {final_validation_score}; {'code_block': str}; {}; {1}; { a }; {\"plans\": [1]}");
    }

    @Test
    @Requirement("REQ-DM-031")
    void insertedTextIsNotExpandedAgain() {
        assertThat(template("{code} {plan}", "code", "plan").render(Map.of("code", "{plan} $1 ${code} \\1 \\", "plan",
                "{code}$0\\E")))
                .isEqualTo("{plan} $1 ${code} \\1 \\ {code}$0\\E");
    }

    @Test
    void aSectionWithNothingToSayVanishesWithItsTitleAndItsLines() {
        PromptTemplate template = template("""
                First{#a}, {a}{/a}.
                {#a}
                # Title

                {^b}
                no b
                {/b}
                {/a}
                {#other}stays{/other}""", "a", "b");

        assertThat(template.render(Map.of("a", "{#b}$1{/b}", "b", ""))).isEqualTo(
                "First, {#b}$1{/b}.\n# Title\n\nno b\n{#other}stays{/other}");
        assertThat(template.render(Map.of("a", "", "b", "x"))).isEqualTo("First.\n{#other}stays{/other}");
        assertThat(template.until("a", Map.of("a", "four", "b", ""))).isEqualTo("First, four".length());
    }

    @Test
    @Requirement("REQ-DM-031")
    void aMissingVariableIsNamed() {
        refusal(NoSuchElementException.class, () -> template("{a} {b}", "a", "b").render(Map.of("a", "x")))
                .contains("variable b", "Figure 9");
        // Required also where the text does not use it.
        assertThatThrownBy(() -> template("no places", "a").render(Map.of()))
                .isInstanceOf(NoSuchElementException.class);
    }
}

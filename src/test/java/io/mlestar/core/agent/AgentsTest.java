package io.mlestar.core.agent;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.model.ModelRequest;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.JsonSchema;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Answers.DataContaminationResult;
import io.mlestar.core.task.Answers.LeakageDetectionOutput;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The catalogue of agents, what these demand of their inputs, and the tools and answers of each.
class AgentsTest {
    private static final List<String> READ = List.of("Read");

    static Stream<Agent<?>> agents() {
        return Given.agents().stream();
    }

    private static Agent<?> fromUser(String type, String input) {
        return Agents.ALL.fromUser(AgentType.of(type).orElseThrow(), Json.parse(input));
    }

    @Test
    @Requirement({"REQ-DM-013", "REQ-DM-040", "REQ-OR-006", "REQ-OR-057"})
    void theCatalogueHoldsEveryRecordByTheNameOfItsStepAndAConfigurationOfEachType() {
        assertThat(Agents.BY_NAME).hasSameSizeAs(Given.agents());
        assertThat(Given.agents())
                .allSatisfy(agent -> assertThat(Agents.BY_NAME.get(agent.name())).isEqualTo(agent.getClass()));
        assertThat(Given.agents()).extracting(Agent::type).contains(AgentType.values());
        assertThat(Agents.BY_NAME.keySet())
                .allSatisfy(name -> assertThat(AgentType.of(name.split("-")[0])).isPresent());
        assertThat(AgentConfig.defaults()).containsOnlyKeys(AgentType.values());
        assertThat(AgentConfig.defaults().values()).extracting(AgentConfig::description).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("agents")
    void aUserGivesTheFieldsAndTheVariant(Agent<?> agent) {
        ObjectNode input = (ObjectNode) Json.tree(agent);
        agent.variant().ifPresent(variant -> input.put("variant", variant));
        ObjectNode before = input.deepCopy();

        assertThat(Agents.ALL.fromUser(agent.type(), input)).isEqualTo(agent);
        assertThat(input).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/refused-agent-inputs.csv", delimiter = '|', quoteCharacter = '`',
            numLinesToSkip = 1)
    @Requirement({"REQ-P2I-011", "REQ-P2I-013", "REQ-P3-003", "REQ-P3-009", "REQ-P3-012"})
    void badInputIsRefusedByTheNameOfTheField(String type, String input, String named) {
        refusal(() -> fromUser(type, input)).contains(named);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/needed-texts.csv", delimiter = '|', numLinesToSkip = 1)
    @Requirement({"REQ-SF-003", "REQ-SF-013", "REQ-SF-026", "REQ-P2O-003", "REQ-P2O-010", "REQ-P2O-016", "REQ-P2I-003",
        "REQ-P2I-011", "REQ-P3-012", "REQ-FN-002", "REQ-FN-005", "REQ-FN-012", "REQ-FN-028"})
    void textThatIsNeededMustBeThere(String name, String field, String message) {
        Agent<?> agent = agents().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
        for (String text : Arrays.asList("", " \n", null)) {
            ObjectNode input = ((ObjectNode) Json.tree(agent)).put(field, text);
            refusal(() -> Json.read(input, agent.getClass())).startsWith(message);
        }
    }

    /// A made-up agent, which finds fault with a plan: a record, a prompt
    /// (`prompts/planner-critic.md` of the tests), a row. The fourth edit, the name of a type of
    /// its own in `core/task/AgentType.java`, is asked for by the compiler; what `make manifests
    /// interfaces` writes by `ManifestsTest` and `InterfacesTest`.
    record Critic(String plan) implements Agent<Reply.Plan> {
        @Override
        public AgentType type() {
            return AgentType.PLANNER;
        }

        @Override
        public Optional<String> variant() {
            return Optional.of("critic");
        }

        @Override
        public Map<String, String> variables(RunContext context) {
            return Map.of("plan", plan);
        }

        @Override
        public Reply.Plan read(String answer) {
            return new Reply.Plan(Reading.prose(answer));
        }
    }

    @Test
    void anAgentIsAddedByARecordAPromptAndARow() {
        Agents agents = new Agents(Stream.concat(Agents.ALL.rows().stream(), Stream.of(Agents.variant(
                AgentType.PLANNER, "critic", Critic.class, List.of("Read"), null, "Says what is wrong with a plan")))
                .toList());

        assertThat(agents.byName()).containsEntry("planner-critic", Critic.class).hasSize(Agents.BY_NAME.size() + 1);
        assertThat(agents.fromUser(AgentType.PLANNER, Json.parse("{\"plan\": \"Stack.\", \"variant\": \"critic\"}")))
                .isEqualTo(new Critic("Stack."));
        assertThat(Prompts.load(Map.of(), agents.prompts())
                .render(new Critic("Stack."), Given.context(MetricDirection.MAXIMIZE), Abilities.NONE).text())
                .isEqualTo("What is wrong with this plan?\n\nStack.");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/agents.csv", delimiter = '|', numLinesToSkip = 1)
    @Requirement({"REQ-DM-036", "REQ-DM-038", "REQ-DM-040", "REQ-DM-049", "REQ-FN-010", "REQ-FN-048", "REQ-OR-006",
        "REQ-OR-008", "REQ-P1-001", "REQ-P1-003", "REQ-P1-008", "REQ-P1-013", "REQ-P2I-001", "REQ-P2I-008",
        "REQ-P2O-001", "REQ-P2O-008", "REQ-P2O-012", "REQ-P2O-014", "REQ-P3-001", "REQ-P3-010", "REQ-SF-001",
        "REQ-SF-011", "REQ-SF-015", "REQ-SF-024", "REQ-SF-032"})
    void everyAgentHasTheToolsAndTheAnswerOfItsPart(AgentType type, String tools, String ceiling, String answer) {
        AgentConfig config = AgentConfig.defaults().get(type);

        assertThat(config.agentType()).isEqualTo(type);
        assertThat(config.tools()).isEqualTo(tools == null ? null : List.of(tools.split(" ")));
        assertThat(AgentConfig.toolCeiling(type)).containsExactly(ceiling.split(" "))
                .containsAll(Objects.requireNonNullElse(config.tools(), List.of()));
        assertThat(config.outputSchema() == null ? null : config.outputSchema().getSimpleName()).isEqualTo(answer);
        assertThat(config).extracting(AgentConfig::model, AgentConfig::systemPrompt, AgentConfig::maxTurns)
                .containsOnlyNulls();
        assertThat(config.toOutputFormat().stream()).as("a structured answer is asked for as JSON schema")
                .hasSize(answer == null ? 0 : 1).allSatisfy(format -> {
                    assertThat(format.fieldNames()).toIterable().containsExactly("type", "schema");
                    assertThat(format.path("type").asText()).isEqualTo("json_schema");
                    assertThat(format.path("schema")).isEqualTo(JsonSchema.of(config.outputSchema()));
                });
    }

    @Test
    @Requirement({"REQ-DM-036", "REQ-DM-037"})
    void whatIsSetGoesIntoTheDefinition() {
        AgentConfig config = new AgentConfig(AgentType.CODER, "Codes", "Be context.", READ, "opus", null, 3);

        assertThat(config.toAgentDefinition(Given.PROMPTS)).containsExactlyInAnyOrderEntriesOf(
                Map.of("description", "Codes", "prompt", "Be context.", "tools", READ, "model", "opus"));
        assertThat(config.maxTurns()).isEqualTo(3);
        refusal(() -> new AgentConfig(AgentType.CODER, null, null, null, null, null, 0)).contains("max_turns");
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                Arguments.of(Given.LEAKAGE, READ, LeakageDetectionOutput.class),
                Arguments.of(Given.LEAKAGE_CORRECTION, READ, null),
                Arguments.of(Given.TEST, READ, null),
                Arguments.of(Given.SUBSAMPLING_EXTRACT, READ, null),
                Arguments.of(Given.SUBSAMPLING_REMOVE, READ, null),
                Arguments.of(Given.CONTAMINATION_CHECK, List.of(), DataContaminationResult.class),
                Arguments.of(Given.PLANNER, List.of(), null));
    }

    @ParameterizedTest
    @MethodSource("calls")
    @Requirement({"REQ-SF-016", "REQ-SF-032", "REQ-FN-026", "REQ-FN-029", "REQ-FN-048"})
    void aVariantIsAskedWithItsOwnToolsAndAnswer(Agent<?> agent, List<String> tools, Class<?> answer) {
        List<String> asked = new ArrayList<>();
        ModelRequest question = ModelRequest.of(Optional.empty(), agent, Given.PROMPTS,
                Given.context(MetricDirection.MAXIMIZE), Duration.ZERO, names -> {
                    asked.addAll(names);
                    return List.of();
                }, false);

        assertThat(asked).isEqualTo(tools);
        assertThat(question.outputFormat().map(format -> format.path("schema")))
                .isEqualTo(Optional.ofNullable(answer).map(JsonSchema::of));
    }

    @ParameterizedTest
    @EnumSource
    @Requirement({"REQ-OR-008", "REQ-OR-010"})
    void aConfigurationGivesAnAgentOtherToolsButNoneBeyondItsCeilingAndTheOrchestratorsOwn(AgentType type) {
        Set<String> allowed = new HashSet<>(AgentConfig.toolCeiling(type));
        allowed.addAll(List.of("ParseScore", "ListFiles"));
        for (String tool : List.of("Bash", "Edit", "Write", "Read", "WebSearch", "WebFetch", "RunPython", "ParseScore",
                "ListFiles", "Nothing", "read", "")) {
            PipelineConfig run = withTools(type, "[\"" + tool + "\"]");
            if (allowed.contains(tool)) {
                assertThat(AgentConfig.of(run).get(type).tools()).containsExactly(tool);
            } else {
                refusal(() -> AgentConfig.of(run)).isEqualTo("agents." + type.id()
                        + ".tools must not hold \"" + tool + "\"; this agent may have "
                        + String.join(", ", AgentConfig.toolCeiling(type))
                        + ", ParseScore, ListFiles");
            }
        }
        assertThat(AgentConfig.of(withTools(type, "[]")).get(type).tools()).isEmpty();
        assertThat(AgentConfig.of(withTools(type, "null"))).isEqualTo(AgentConfig.defaults());
    }

    @ParameterizedTest
    @MethodSource("calls")
    @Requirement("REQ-OR-008")
    void noCallIsOfferedMoreThanItsAgentMayHave(Agent<?> agent, List<String> tools, Class<?> answer) {
        PipelineConfig given = withTools(agent.type(), "[\"ListFiles\"]");
        AgentConfig config = AgentConfig.of(agent, given);

        assertThat(config.tools()).containsExactly("ListFiles");
        assertThat(config).isEqualTo(AgentConfig.of(agent).with(List.of("ListFiles")));
        assertThat(AgentConfig.toolCeiling(agent.type())).containsAll(tools);
    }

    @ParameterizedTest
    @EnumSource
    void whoWritesScriptsMayLookAtTheDataIfTheRunLetsIt(AgentType type) {
        PipelineConfig looking =
                PipelineConfig.resolve(Json.object().put("search", "strong").put("agents_look", 1), Map.of());
        List<String> own = Objects.requireNonNullElse(AgentConfig.defaults().get(type).tools(), List.of());
        if (Set.of(AgentType.INIT, AgentType.CODER).contains(type)) {
            assertThat(AgentConfig.of(looking).get(type).tools())
                    .isEqualTo(Stream.concat(own.stream(), Stream.of("RunPython")).toList());
        } else {
            assertThat(AgentConfig.of(looking).get(type)).isEqualTo(AgentConfig.defaults().get(type));
        }
        PipelineConfig chosen = PipelineConfig.resolve(
                Json.parse(
                        "{\"search\": \"strong\", \"agents\": {\"" + type.id() + "\": {\"tools\": [\"ListFiles\"]}}}"),
                Map.of());
        assertThat(AgentConfig.of(chosen).get(type).tools()).containsExactly("ListFiles");
    }

    private static PipelineConfig withTools(AgentType type, String tools) {
        return PipelineConfig.resolve(Json.parse("{\"agents\": {\"" + type.id() + "\": {\"tools\": " + tools + "}}}"),
                Map.of());
    }
}

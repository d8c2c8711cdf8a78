package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.model.ModelRequest;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.JsonSchema;
import io.mlestar.core.step.Agent;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Answers.DataContaminationResult;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.Answers.LeakageDetectionOutput;
import io.mlestar.core.task.Answers.RetrieverOutput;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AgentConfigTest {
    private static final List<String> READ = List.of("Read");
    private static final List<String> WRITE = List.of("Bash", "Edit", "Write", "Read");
    private static final List<String> LOOK_AND_WRITE = List.of("Bash", "Edit", "Write", "Read", "RunPython");
    private static final List<String> WEB = List.of("WebSearch", "WebFetch");
    private static final List<String> NONE = null;

    static Stream<Arguments> agents() {
        return Stream.of(
                Arguments.of(AgentType.RETRIEVER, WEB, WEB, RetrieverOutput.class),
                Arguments.of(AgentType.INIT, READ, LOOK_AND_WRITE, null),
                Arguments.of(AgentType.MERGER, READ, WRITE, null),
                Arguments.of(AgentType.ABLATION, READ, WRITE, null),
                Arguments.of(AgentType.SUMMARIZE, NONE, READ, null),
                Arguments.of(AgentType.EXTRACTOR, READ, READ, ExtractorOutput.class),
                Arguments.of(AgentType.CODER, NONE, LOOK_AND_WRITE, null),
                Arguments.of(AgentType.PLANNER, NONE, READ, null),
                Arguments.of(AgentType.ENS_PLANNER, NONE, READ, null),
                Arguments.of(AgentType.ENSEMBLER, READ, WRITE, null),
                Arguments.of(AgentType.DEBUGGER, List.of("Read", "Bash"), WRITE, null),
                Arguments.of(AgentType.LEAKAGE, READ, READ, LeakageDetectionOutput.class),
                Arguments.of(AgentType.DATA, READ, READ, null),
                Arguments.of(AgentType.TEST, READ, WRITE, null));
    }

    @ParameterizedTest
    @MethodSource("agents")
    @Requirement({"REQ-DM-036", "REQ-DM-040", "REQ-OR-006", "REQ-OR-008", "REQ-SF-001", "REQ-SF-011", "REQ-SF-024",
        "REQ-SF-032", "REQ-P1-001", "REQ-P1-008", "REQ-P1-013", "REQ-P2O-001", "REQ-P2O-008", "REQ-P2O-012",
        "REQ-P2I-001",
        "REQ-P2I-008", "REQ-P3-001", "REQ-P3-010", "REQ-FN-010", "REQ-FN-048"})
    void everyAgentHasTheToolsAndTheAnswerOfItsPart(AgentType type, List<String> tools, List<String> ceiling,
            Class<?> answer) {
        AgentConfig config = AgentConfig.defaults().get(type);

        assertThat(config.agentType()).isEqualTo(type);
        assertThat(config.tools()).isEqualTo(tools);
        assertThat(AgentConfig.toolCeiling(type)).isEqualTo(ceiling)
                .containsAll(Objects.requireNonNullElse(tools, List.of()));
        assertThat(config.outputSchema()).isEqualTo(answer);
        assertThat(config.model()).isNull();
        assertThat(config.systemPrompt()).isNull();
        assertThat(config.maxTurns()).isNull();
    }

    @Test
    @Requirement({"REQ-DM-040", "REQ-OR-006", "REQ-OR-057"})
    void eachTypeHasOne() {
        assertThat(AgentConfig.defaults()).containsOnlyKeys(AgentType.values());
        assertThat(AgentConfig.defaults().values()).extracting(AgentConfig::description).doesNotHaveDuplicates();
    }

    @Test
    @Requirement({"REQ-DM-036", "REQ-DM-037"})
    void whatIsSetGoesIntoTheDefinition() {
        AgentConfig config = new AgentConfig(AgentType.CODER, "Codes", "Be context.", READ, "opus", null, 3);

        assertThat(config.toAgentDefinition(Given.PROMPTS)).containsExactlyInAnyOrderEntriesOf(
                Map.of("description", "Codes", "prompt", "Be context.", "tools", READ, "model", "opus"));
        assertThat(config.maxTurns()).isEqualTo(3);
        assertThatThrownBy(() -> new AgentConfig(AgentType.CODER, null, null, null, null, null, 0))
                .isInstanceOf(Invalid.class).hasMessageContaining("max_turns");
    }

    @ParameterizedTest
    @MethodSource("agents")
    @Requirement({"REQ-DM-038", "REQ-DM-049", "REQ-SF-015", "REQ-P1-003", "REQ-P2O-014"})
    void aStructuredAnswerIsAskedForAsJsonSchema(AgentType type, List<String> tools, List<String> ceiling,
            Class<?> answer) {
        List<JsonNode> format = AgentConfig.defaults().get(type).toOutputFormat().stream().toList();

        assertThat(format).hasSize(answer == null ? 0 : 1).allSatisfy(json -> {
            assertThat(json.fieldNames()).toIterable().containsExactly("type", "schema");
            assertThat(json.path("type").asText()).isEqualTo("json_schema");
            assertThat(json.path("schema")).isEqualTo(JsonSchema.of(answer));
        });
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
                Given.context(MetricDirection.MAXIMIZE), Duration.ZERO,
                names -> {
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
                assertThatThrownBy(() -> AgentConfig.of(run)).isInstanceOf(Invalid.class)
                        .hasMessage("agents." + type.id()
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
        PipelineConfig beyond = withTools(agent.type(), "[\"Everything\"]");
        assertThatThrownBy(() -> AgentConfig.of(agent, beyond)).isInstanceOf(Invalid.class);
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
        PipelineConfig chosen =
                PipelineConfig.resolve(
                        Json.parse("{\"search\": \"strong\", \"agents\": {\"" + type.id()
                                + "\": {\"tools\": [\"ListFiles\"]}}}"),
                        Map.of());
        assertThat(AgentConfig.of(chosen).get(type).tools()).containsExactly("ListFiles");
    }

    private static PipelineConfig withTools(AgentType type, String tools) {
        return PipelineConfig.resolve(Json.parse("{\"agents\": {\"" + type.id() + "\": {\"tools\": " + tools + "}}}"),
                Map.of());
    }
}

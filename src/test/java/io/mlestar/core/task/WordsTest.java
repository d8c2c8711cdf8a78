package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.PromptTemplate;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.Answers.LeakageAnswer.LeakageStatus;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The words that enums have in JSON, and what else holds for all types of the task.
class WordsTest {
    private static final String SCRIPT = "x = [value * 2 for value in range(100)]  # 50 KB of these\n".repeat(870);
    private static final int MANY = 100;

    static Stream<Arguments> words() {
        return Stream.of(
                Arguments.of(TaskType.class,
                        List.of("classification", "regression", "image_classification", "image_to_image",
                                "text_classification", "audio_classification", "sequence_to_sequence", "tabular")),
                Arguments.of(DataModality.class, List.of("tabular", "image", "text", "audio", "mixed")),
                Arguments.of(MetricDirection.class, List.of("maximize", "minimize")),
                Arguments.of(SolutionPhase.class, List.of("init", "merged", "refined", "ensemble", "final")),
                Arguments.of(CodeBlockCategory.class, List.of("preprocessing", "feature_engineering", "model_selection",
                        "training", "hyperparameter_tuning", "ensemble", "postprocessing", "other")),
                Arguments.of(AgentType.class,
                        List.of("retriever", "init", "merger", "ablation", "summarize", "extractor",
                                "coder", "planner", "ens_planner", "ensembler", "debugger", "leakage", "data", "test")),
                Arguments.of(LeakageStatus.class, List.of("Yes Data Leakage", "No Data Leakage")),
                Arguments.of(ContaminationVerdict.class, List.of("Novel", "Same")));
    }

    @ParameterizedTest
    @MethodSource("words")
    @Requirement({"REQ-DM-004", "REQ-DM-005", "REQ-DM-006", "REQ-DM-008", "REQ-DM-011", "REQ-DM-013"})
    void everyEnumHasExactlyTheWordsOfTheRequirements(Class<?> type, List<String> words) {
        assertThat(type.getEnumConstants()).extracting(constant -> Json.tree(constant).asText())
                .containsExactlyElementsOf(words);
        assertThat(words).extracting(word -> (Object) Json.read(TextNode.valueOf(word), type))
                .containsExactly(type.getEnumConstants());
    }

    @ParameterizedTest
    @MethodSource("words")
    @Requirement({"REQ-DM-018", "REQ-DM-020"})
    void numbersAndOtherWordsAreRefused(Class<?> type, List<String> words) {
        List<JsonNode> wrong = List.of(IntNode.valueOf(0), TextNode.valueOf("0"), TextNode.valueOf(""),
                TextNode.valueOf(words.getFirst() + "x"),
                TextNode.valueOf(type.getEnumConstants()[0].toString() + " "));

        assertThat(wrong)
                .allSatisfy(json -> assertThatThrownBy(() -> Json.read(json, type)).isInstanceOf(Invalid.class));
    }

    @Test
    @Requirement("REQ-DM-044")
    void aConfigurationAndWhatHoldsScriptsAreMadeInAMillisecond() throws Exception {
        Duration many = CpuTime.ofThread(() -> {
            for (int i = 0; i < MANY; i++) {
                SolutionScript script = SolutionScript.unscored(SCRIPT, SolutionPhase.INIT).scored(Score.printed(0.5));
                assertThat(List.of(PipelineConfig.defaults(), new Results.Phase2Result(List.of(SCRIPT),
                        List.of(new CodeBlock(SCRIPT, null, 0)), script, 0.5, List.of()))).hasSize(2);
            }
        });
        assertThat(many.dividedBy(MANY)).isLessThan(Duration.ofMillis(1));
    }

    @Test
    @Requirement({"REQ-DM-045", "REQ-DM-046"})
    void everyTypeIsPublicInOneRoomAndWhatDescribesAgentsBesideTheAgents() {
        List<Class<?>> ofTheTask = List.of(TaskType.class, DataModality.class, MetricDirection.class,
                SolutionPhase.class, AgentType.class, TaskDescription.class, PipelineConfig.class,
                SolutionScript.class, Answers.class, Results.class, Results.FinalResult.class);
        List<Class<?>> ofTheAgents = List.of(AgentConfig.class, PromptTemplate.class, Prompts.class);
        assertThat(ofTheTask).extracting(Class::getPackageName).containsOnly("io.mlestar.core.task");
        assertThat(ofTheAgents).extracting(Class::getPackageName).containsOnly("io.mlestar.core.agent");
        assertThat(List.of(ofTheTask, ofTheAgents)).flatMap(types -> types)
                .allMatch(type -> Modifier.isPublic(type.getModifiers()));
    }
}

package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.PromptTemplate;
import io.mlestar.core.agent.Prompts;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The types of room `task` as a whole (`src/test/requirements/DM.md`).
class TypesTest {
    private static final String SCRIPT = "x = [value * 2 for value in range(100)]  # 50 KB of these\n".repeat(870);
    private static final int MANY = 100;

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

package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.PromptTemplate;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Results.StepRecord;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The types of room `task` as a whole (`src/test/requirements/DM.md`).
class TypesTest {
    private static final String SCRIPT = "x = [value * 2 for value in range(100)]  # 50 KB of these\n".repeat(870);
    private static final String PLAN = "Use target encoding. ".repeat(100);
    private static final int MANY = 100;

    /// One of each that holds scripts or plans, and of the task and its configuration.
    private static void constructAll() {
        SolutionScript script = SolutionScript.unscored(SCRIPT, SolutionPhase.INIT).scored(Score.printed(0.5));
        RefinementAttempt attempt = new RefinementAttempt(PLAN, 0.5, SCRIPT, true, null);
        Decision decision = new Decision("phase2-path0/block0/attempt0", Score.printed(0.5), List.of(), null, true);
        StepRecord step =
                new StepRecord(0, PLAN, SCRIPT, PLAN, List.of(attempt), 0.5, false, false, true, List.of(decision));
        List<?> made = List.of(
                new TaskDescription("c", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE, PLAN,
                        null, null),
                new EvaluationResult(Score.printed(0.5), SCRIPT, PLAN, 0, 1, false, null),
                new CodeBlock(SCRIPT, CodeBlockCategory.TRAINING, 0), attempt, step,
                new Phase1Result(List.of(new RetrievedModel("m", SCRIPT)), List.of(script), List.of(0.5), script, 0.5,
                        0, null, List.of(),
                        List.of(decision)),
                new Phase2Result(List.of(PLAN), List.of(new CodeBlock(SCRIPT, null, 0)), script, 0.5, List.of(step)),
                new EnsembleAttempt(PLAN, 0.5, script, null, null),
                new Phase3Result(List.of(script, script), List.of(PLAN), List.of(0.5), script, 0.5, List.of(),
                        List.of(decision)));
        assertThat(made).doesNotContainNull();
    }

    @Test
    @Requirement("REQ-DM-044")
    void allTogetherAreConstructedInAMillisecond() throws Exception {
        Duration many = CpuTime.ofThread(() -> {
            for (int i = 0; i < MANY; i++) {
                constructAll();
            }
        });
        assertThat(many.dividedBy(MANY)).isLessThan(Duration.ofMillis(1));
    }

    @Test
    @Requirement("REQ-DM-044")
    void aConfigurationIsResolvedInAMillisecond() throws Exception {
        Duration many = CpuTime.ofThread(() -> {
            for (int i = 0; i < MANY; i++) {
                assertThat(PipelineConfig.defaults()).isNotNull();
            }
        });
        assertThat(many.dividedBy(MANY)).isLessThan(Duration.ofMillis(1));
    }

    static Stream<Class<?>> ofTheTask() {
        return Stream.of(TaskType.class, DataModality.class, MetricDirection.class, SolutionPhase.class,
                AgentType.class,
                CodeBlockCategory.class, TaskDescription.class, PipelineConfig.class, SolutionScript.class,
                EvaluationResult.class,
                CodeBlock.class, Answers.RetrievedModel.class, Answers.RetrieverOutput.class, Answers.RefinePlan.class,
                Answers.ExtractorOutput.class, Answers.LeakageAnswer.class, Answers.LeakageDetectionOutput.class,
                Answers.DataContaminationResult.class, RefinementAttempt.class, EnsembleAttempt.class,
                Phase1Result.class, Phase2Result.class, Phase3Result.class, Results.FinalResult.class);
    }

    @ParameterizedTest
    @MethodSource("ofTheTask")
    @Requirement({"REQ-DM-045", "REQ-DM-046"})
    void everyTypeIsPublicInOneRoom(Class<?> type) {
        assertThat(type.getPackageName()).isEqualTo("io.mlestar.core.task");
        assertThat(Modifier.isPublic(type.getModifiers())).isTrue();
    }

    @ParameterizedTest
    @MethodSource("ofTheAgents")
    @Requirement({"REQ-DM-045", "REQ-DM-046"})
    void whatDescribesAgentsIsPublicBesideTheAgents(Class<?> type) {
        assertThat(type.getPackageName()).isEqualTo("io.mlestar.core.agent");
        assertThat(Modifier.isPublic(type.getModifiers())).isTrue();
    }

    static Stream<Class<?>> ofTheAgents() {
        return Stream.of(AgentConfig.class, PromptTemplate.class, Prompts.class);
    }
}

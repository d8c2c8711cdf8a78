package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What an agent is told of what it can do.
class AbilitiesTest {
    private static RunContext context(TaskType type, DataModality modality) {
        return new RunContext(
                new TaskDescription("t", type, modality, "AUC", MetricDirection.MAXIMIZE, "Predict y.", null, null),
                PipelineConfig.defaults(), "no GPU");
    }

    private static String retriever(TaskType type, DataModality modality, List<String> tools, boolean searches) {
        return Given.PROMPTS.render(Given.RETRIEVER, context(type, modality), new Abilities(tools, searches)).text();
    }

    @Test
    @Requirement("REQ-P1-002")
    void aRetrieverThatCanSearchIsToldToAndOneThatCannotIsNot() {
        for (String can : List.of(retriever(TaskType.TABULAR, DataModality.TABULAR, List.of("WebSearch"), false),
                retriever(TaskType.TABULAR, DataModality.TABULAR, List.of(), true))) {
            assertThat(can).contains("Search the web").doesNotContain("proven themselves");
        }
        assertThat(retriever(TaskType.TABULAR, DataModality.TABULAR, List.of("WebFetch"), false))
                .doesNotContain("Search the web")
                .contains("Nothing can be searched", "November 2026");
    }

    @ParameterizedTest
    @EnumSource
    void thereIsAHintForEveryKindOfData(DataModality modality) {
        for (TaskType type : TaskType.values()) {
            assertThat(ProvenModels.hint(context(type, modality).task()).lines()).as("%s, %s", type, modality)
                    .hasSizeGreaterThanOrEqualTo(2)
                    .allMatch(line -> line.matches("- .+ \\(`[a-z-]+`\\): .+"));
        }
    }

    @Test
    void whoeverCanReadTheDataIsToldToLookFirst() {
        RunContext context = context(TaskType.TABULAR, DataModality.TABULAR);
        assertThat(Given.PROMPTS.render(Given.INIT, context, new Abilities(List.of("Read", "ListFiles"), false)).text())
                .contains("With `Read` you can look at the task's data in `./input` before you answer. Do so first");
        assertThat(Given.PROMPTS.render(Given.INIT, context, Abilities.NONE).text()).doesNotContain("`Read`");
    }

    @Test
    void whoeverCanRunPythonIsToldHowOftenAndWhatFor() {
        RunContext context = new RunContext(context(TaskType.TABULAR, DataModality.TABULAR).task(),
                PipelineConfig.resolve(Json.object().put("search", "strong"), Map.of()), "no GPU");
        String both =
                Given.PROMPTS.render(Given.INIT, context, new Abilities(List.of("Read", "RunPython"), false)).text();
        assertThat(both).containsOnlyOnce("# Tools").contains("With `Read`", "With `RunPython`",
                "with 3 scripts at most",
                "A quick model is allowed");
        assertThat(Given.PROMPTS.render(Given.INIT, context, new Abilities(List.of("RunPython"), false)).text())
                .containsOnlyOnce("# Tools")
                .contains("With `RunPython`").doesNotContain("`Read`");
        assertThat(Given.PROMPTS.render(Given.INIT, context, new Abilities(List.of("Read"), false)).text())
                .doesNotContain("RunPython");
    }

    @Test
    void whatOtherPromptsBeginWithEndsWithTheSharedText() {
        RunContext context = context(TaskType.TABULAR, DataModality.TABULAR);
        Prompts.Rendered coder =
                Given.PROMPTS.render(new Coder(Given.CODE, "Scale.", null, null), context, Abilities.NONE);
        Prompts.Rendered planner =
                Given.PROMPTS.render(new Planner(Given.CODE, null, List.of("p"), List.of(0.5), null, null),
                        context, Abilities.NONE);
        assertThat(coder.text().substring(0, coder.shared())).endsWith(Given.CODE + "\n```")
                .isEqualTo(planner.text().substring(0, planner.shared()));
        Prompts.Rendered leakage = Given.PROMPTS.render(Given.LEAKAGE, context, Abilities.NONE);
        assertThat(leakage.text().substring(0, leakage.shared())).endsWith("# Python code\n\n```python\n")
                .contains("# Your task");
        assertThat(Given.PROMPTS.render(Given.MERGER, context, Abilities.NONE).shared()).isZero();
    }
}

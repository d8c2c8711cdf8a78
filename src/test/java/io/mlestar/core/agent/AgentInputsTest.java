package io.mlestar.core.agent;

import static io.mlestar.core.task.Examples.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What agents demand of their inputs.
class AgentInputsTest {
    private static Arguments demands(String message, Function<String, Object> agent) {
        return Arguments.of(message, agent);
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                demands("task_description", text -> new Retriever(text, 1, null)),
                demands("model_name", text -> new Init("t", text, "c", null)),
                demands("example_code", text -> new Init("t", "m", text, null)),
                demands("base_code", text -> new Merger(text, "r", null, null)),
                demands("reference_code", text -> new Merger("b", text, null, null)),
                demands("solution_script", text -> new Ablation(text, List.of(), null)),
                demands("ablation_code", text -> new Summarize(text, "out")),
                demands("solution_script", text -> new Extractor(text, "s", List.of(), false, null)),
                demands("code_block", text -> new Coder(text, "p", null, null)),
                demands("plan", text -> new Coder("c", text, null, null)),
                demands("code_block", text -> new Planner(text, null, List.of("p"), List.of(1.0), null, null)),
                demands("A_ensembler requires a non-empty ensemble plan",
                        text -> new Ensembler(List.of("a", "b"), null, text)),
                demands("code", text -> new Debugger(text, "Traceback", null, null, null)),
                demands("No traceback provided for debugging", text -> new Debugger("c", text, null, null, null)),
                demands("code", Leakage::new),
                demands("code", text -> new LeakageCorrection(text, "fit()", "")),
                demands("code_block", text -> new LeakageCorrection("fit()", text, "")),
                demands("initial_solution", text -> new Data(text, "t")),
                demands("task_description", text -> new Data("s", text)),
                demands("task_description", text -> new TestSubmission(text, "s")),
                demands("final_solution", text -> new TestSubmission("t", text)),
                demands("final_solution", SubsamplingExtract::new),
                demands("code_block_with_subsampling", SubsamplingRemove::new),
                demands("reference_discussion", text -> new ContaminationCheck(text, "s")),
                demands("final_solution", text -> new ContaminationCheck("r", text)));
    }

    @ParameterizedTest
    @MethodSource("texts")
    @Requirement({"REQ-SF-003", "REQ-SF-013", "REQ-SF-026", "REQ-P2O-003", "REQ-P2O-010", "REQ-P2O-016", "REQ-P2I-003",
        "REQ-P2I-011", "REQ-P3-012", "REQ-FN-002", "REQ-FN-005", "REQ-FN-012", "REQ-FN-028"})
    void textThatIsNeededMustBeThere(String message, Function<String, Object> agent) {
        assertThat(Stream.of("", " \n", null)).allSatisfy(text -> assertThatThrownBy(() -> agent.apply(text))
                .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(message));
    }

    @Test
    @Requirement({"REQ-P2I-011", "REQ-P2I-013"})
    void thePlannerNeedsOnePlanAndAScoreForEach() {
        assertThatThrownBy(() -> new Planner("c", null, List.of(), List.of(), null, null))
                .isInstanceOf(Invalid.class).hasMessage("At least one previous plan is required for A_planner");
        assertThatThrownBy(() -> new Planner("c", null, List.of("p"), List.of(), null, null))
                .isInstanceOf(Invalid.class).hasMessage("plans and scores must have the same length, but have 1 and 0");
        assertThat(new Planner("c", null, List.of("p"), Arrays.asList((Double) null), null, null).scores())
                .containsExactly((Double) null);
    }

    @Test
    @Requirement({"REQ-P3-003", "REQ-P3-009"})
    void theEnsPlannerNeedsTwoSolutionsAndAScoreForEachPlan() {
        assertThatThrownBy(() -> new EnsPlanner(List.of("a"), null, List.of(), List.of(), null))
                .isInstanceOf(Invalid.class).hasMessage("A_ens_planner requires at least 2 solutions for ensembling");
        assertThatThrownBy(() -> new EnsPlanner(List.of("a", "b"), null, List.of(), List.of(0.5), null))
                .isInstanceOf(Invalid.class).hasMessageContaining("0 and 1");
    }

    @Test
    @Requirement("REQ-P3-012")
    void theEnsemblerNeedsTwoSolutions() {
        assertThatThrownBy(() -> new Ensembler(List.of("a", "b"), List.of(trial(0.5, null)), "plan"))
                .isInstanceOf(Invalid.class).hasMessageContaining("solutions and trials must have the same length");
        assertThatThrownBy(() -> new Ensembler(List.of("a"), null, "plan"))
                .isInstanceOf(Invalid.class).hasMessage("A_ensembler requires at least 2 solutions for ensembling");
    }
}

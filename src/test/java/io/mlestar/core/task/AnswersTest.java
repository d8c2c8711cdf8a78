package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.Answers.DataContaminationResult;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.Answers.LeakageAnswer;
import io.mlestar.core.task.Answers.LeakageAnswer.LeakageStatus;
import io.mlestar.core.task.Answers.LeakageDetectionOutput;
import io.mlestar.core.task.Answers.RefinePlan;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.Answers.RetrieverOutput;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.Results.BetterScript;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Results.Gain;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Results.PhaseSummary;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Results.StepRecord;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnswersTest {
    private static final RetrievedModel MODEL = new RetrievedModel("LightGBM", "import lightgbm");
    private static final RefinePlan PLAN = new RefinePlan("    x = 1", "Scale x. Then clip it. Keep the rest.");
    private static final LeakageAnswer LEAK =
            new LeakageAnswer(LeakageStatus.YES, "It scales by all rows.", "scaler.fit(all)");

    private static final SolutionScript SCRIPT = Examples.script("x = 1").scored(Score.printed(0.5));
    private static final RefinementAttempt ATTEMPT = RefinementAttempt.failed("p", "");
    private static final Decision DECISION =
            new Decision("phase1/merge1", Score.printed(0.5), List.of(new Source("phase1/candidate0", 1)),
                    new Rival("phase1/candidate0", Score.printed(0.6)), false);
    private static final EvaluationResult EVALUATION =
            new EvaluationResult(Score.NONE, "out", "err", 1, 2.5, true, "Traceback");
    private static final Phase1Result PHASE1 = new Phase1Result(List.of(new RetrievedModel("m", "c")),
            List.of(SCRIPT, SCRIPT.failed()), Arrays.asList(0.5, null), SCRIPT, 0.5, 1,
            "merge 2 of 2 has no score", List.of(new Leak("fit(all)", "It fits on all rows.", Leak.NOT_FOUND)),
            List.of(DECISION), null);
    private static final Phase2Result PHASE2 = new Phase2Result(List.of("", "s"), List.of(new CodeBlock("", null, 0)),
            SCRIPT, 0.5,
            List.of(new StepRecord(0, "", "c", "p", List.of(ATTEMPT), 0.5, false, false, false, List.of(DECISION))));
    private static final Phase3Result PHASE3 =
            new Phase3Result(List.of(SCRIPT, SCRIPT), List.of("e"), Arrays.asList((Double) null),
                    SCRIPT, null, List.of(new EnsembleAttempt("e", Examples.script(""), "it crashed", null)),
                    List.of(DECISION));

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(new RetrieverOutput(List.of(MODEL)),
                        "{\"models\":[{\"model_name\":\"LightGBM\",\"example_code\":\"import lightgbm\"}]}"),
                Arguments.of(new ExtractorOutput(List.of(PLAN)),
                        "{\"plans\":[{\"code_block\":\"    x = 1\",\"plan\":\"Scale x. Then clip it. Keep the rest.\"}]}"),
                Arguments.of(new LeakageDetectionOutput(List.of(LEAK)),
                        "{\"answers\":[{\"leakage_status\":\"Yes Data Leakage\",\"reason\":\"It scales by all rows.\",\"code_block\":\"scaler.fit(all)\"}]}"),
                Arguments.of(new LeakageAnswer(LeakageStatus.NO, "", ""),
                        "{\"leakage_status\":\"No Data Leakage\",\"reason\":\"\",\"code_block\":\"\"}"),
                Arguments.of(new DataContaminationResult(ContaminationVerdict.SAME), "{\"verdict\":\"Same\"}"));
    }

    @ParameterizedTest
    @MethodSource("answers")
    @Requirement({"REQ-DM-014", "REQ-DM-015", "REQ-DM-016", "REQ-DM-017", "REQ-DM-018", "REQ-DM-019", "REQ-DM-020"})
    void haveTheFieldNamesOfTheRequirements(Record answer, String json) {
        assertThat(Json.tree(answer)).hasToString(json);
        assertThat(Json.read(Json.parse(json), answer.getClass())).isEqualTo(answer);
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of(RetrieverOutput.class, "{\"models\": []}", "models must hold at least one element"),
                Arguments.of(RetrieverOutput.class, "{}", "models must hold at least one element"),
                Arguments.of(RetrieverOutput.class, "{\"models\": [null]}", "models"),
                Arguments.of(RetrievedModel.class, "{\"model_name\": \" \", \"example_code\": \"x\"}",
                        "model_name is required"),
                Arguments.of(RetrievedModel.class, "{\"model_name\": \"x\"}", "example_code is required"),
                Arguments.of(ExtractorOutput.class, "{\"plans\": []}", "plans must hold at least one element"),
                Arguments.of(ExtractorOutput.class, "{\"plans\": [{\"plan\": \"x\"}]}", "code_block is required"),
                Arguments.of(ExtractorOutput.class, "{\"plans\": \"all\"}", "plans"),
                Arguments.of(RefinePlan.class, "{\"code_block\": \"x\", \"plan\": null}", "plan is required"),
                Arguments.of(LeakageDetectionOutput.class, "{\"answers\": []}",
                        "answers must hold at least one element"),
                Arguments.of(LeakageAnswer.class, "{\"code_block\": \"x\"}", "leakage_status is required"),
                Arguments.of(LeakageAnswer.class, "{\"leakage_status\": \"No Data Leakage\"}",
                        "code_block is required"),
                Arguments.of(DataContaminationResult.class, "{\"verdict\": null}", "verdict is required"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    @Requirement({"REQ-DM-014", "REQ-DM-015", "REQ-DM-016", "REQ-DM-017", "REQ-DM-018", "REQ-DM-019", "REQ-DM-020"})
    void refuseWhatIsMissingOrEmpty(Class<?> type, String json, String message) {
        assertThatThrownBy(() -> Json.read(Json.parse(json), type)).isInstanceOf(Invalid.class)
                .hasMessageContaining(message);
    }

    private static FinalResult finalResult(Map<String, PhaseSummary> phases) {
        return new FinalResult("run", Json.read(Examples.task(), TaskDescription.class), PipelineConfig.defaults(),
                PHASE1,
                List.of(PHASE2), 0, null, SCRIPT, SCRIPT, 0.5, "", 12.5, null, List.of("phase1"), null, phases,
                List.of("init"), null,
                "skipped: there are no reference discussions", null, "no script wrote one", null, 0.5,
                new BetterScript("phase2-path1", 0.6),
                List.of(new Gain("phase1/candidate0", 0.5, 0.01, null, null)),
                Instant.parse("2026-01-02T03:04:05.678Z"));
    }

    static Stream<Arguments> results() {
        return Stream.of(
                Arguments.of(EVALUATION,
                        "score, validation, stdout, stderr, exit_code, duration_seconds, is_error, error_traceback"),
                Arguments.of(new CodeBlock("x", CodeBlockCategory.TRAINING, 3), "content, category, outer_step"),
                Arguments.of(PHASE1,
                        "retrieved_models, candidate_solutions, candidate_scores, initial_solution, initial_score, "
                                + "merges, merges_ended, leaks, decisions, study"),
                Arguments.of(PHASE2, "ablation_summaries, refined_blocks, best_solution, best_score, step_history"),
                Arguments.of(PHASE2.stepHistory().getFirst(),
                        "outer_step, ablation_summary, code_block, plan, inner_loop_attempts, "
                                + "best_score_after_step, was_skipped, failed, improved, decisions"),
                Arguments.of(PHASE3,
                        "input_solutions, ensemble_plans, ensemble_scores, best_ensemble, best_ensemble_score, attempts, decisions"),
                Arguments.of(ATTEMPT, "plan, score, code_block, was_improvement, repaired, script, finding"),
                Arguments.of(new EnsembleAttempt("e", SCRIPT, null, null),
                        "plan, score, solution, failure, repaired, members"),
                Arguments.of(finalResult(Map.of("phase1", new PhaseSummary(0.1, 3.0))), "run_id, task, config, phase1, "
                        + "phase2_results, best_path, phase3, chosen, final_solution, best_score, submission_path, total_duration_seconds, "
                        + "total_cost_usd, phases_completed, stop_reason, phases, lineage, contamination, contamination_note, "
                        + "submission_source, submission_failure, submission_replaced, baseline_score, better_script, gains, started_at"));
    }

    @ParameterizedTest
    @MethodSource("results")
    @Requirement({"REQ-DM-012", "REQ-DM-021", "REQ-DM-022", "REQ-DM-023", "REQ-DM-024", "REQ-DM-025", "REQ-DM-042",
        "REQ-DM-043", "REQ-P2O-030"})
    void haveTheFieldNamesOfTheRequirementsAndSurviveARoundTrip(Record result, String fields) {
        JsonNode tree = Json.tree(result);

        assertThat(tree.fieldNames()).toIterable().containsExactly(fields.split(", "));
        assertThat(Json.read(Json.parse(Json.text(result)), result.getClass())).isEqualTo(result);
    }

    @Test
    @Requirement("REQ-DM-012")
    void aCodeBlockNeedsItsContentOnly() {
        assertThat(Json.read(Json.parse("{\"content\": \"\"}"), CodeBlock.class))
                .isEqualTo(new CodeBlock("", null, null));
        assertThatThrownBy(() -> Json.read(Json.parse("{\"outer_step\": 1}"), CodeBlock.class))
                .isInstanceOf(Invalid.class).hasMessageContaining("content");
    }
}

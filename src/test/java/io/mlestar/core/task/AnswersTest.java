package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnswersTest {
    private static final RetrievedModel MODEL = new RetrievedModel("LightGBM", "import lightgbm");
    private static final RefinePlan PLAN = new RefinePlan("    x = 1", "Scale x. Then clip it. Keep the rest.");
    private static final LeakageAnswer LEAK =
            new LeakageAnswer(LeakageStatus.YES, "It scales by all rows.", "scaler.fit(all)");

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
}

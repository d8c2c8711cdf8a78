package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.mlestar.core.base.Invalid;
import java.util.List;

/// The structured answers of agents (REQ-DM-014 to REQ-DM-020). Each is also the output schema of
/// its agent.
public final class Answers {
    /// Elements of a list: each may be asked about once more.
    private static final int MOST = 100;

    private Answers() {}

    /// A model that the retriever found, with code that shows its use (REQ-DM-014).
    public record RetrievedModel(String modelName, String exampleCode) {
        public RetrievedModel {
            Invalid.text("model_name", modelName);
            Invalid.text("example_code", exampleCode);
        }
    }

    /// REQ-DM-015.
    public record RetrieverOutput(List<RetrievedModel> models) {
        public RetrieverOutput {
            models = filled("models", models);
        }
    }

    /// A code block, copied from the script, and a plan of three to five sentences for it
    /// (REQ-DM-016).
    public record RefinePlan(String codeBlock, String plan) {
        public RefinePlan {
            Invalid.text("code_block", codeBlock);
            Invalid.text("plan", plan);
        }
    }

    /// REQ-DM-017.
    public record ExtractorOutput(List<RefinePlan> plans) {
        public ExtractorOutput {
            plans = filled("plans", plans);
        }
    }

    /// The answer of A_leakage on one preprocessing block (REQ-DM-018).
    ///
    /// @param reason what leaks, in one sentence; empty if nothing leaks or no reason was given
    /// @param codeBlock the block that leaks; empty if none does
    public record LeakageAnswer(LeakageStatus leakageStatus, String reason, String codeBlock) {
        public LeakageAnswer {
            Invalid.required("leakage_status", leakageStatus);
            reason = reason == null ? "" : reason;
            Invalid.required("code_block", codeBlock);
        }

        /// The verdict on the block (Figure 20).
        public enum LeakageStatus {
            @JsonProperty("Yes Data Leakage")
            YES,
            @JsonProperty("No Data Leakage")
            NO
        }

        public boolean leaks() {
            return leakageStatus == LeakageStatus.YES;
        }
    }

    /// REQ-DM-019.
    public record LeakageDetectionOutput(List<LeakageAnswer> answers) {
        public LeakageDetectionOutput {
            answers = filled("answers", answers);
        }
    }

    /// REQ-DM-020.
    public record DataContaminationResult(ContaminationVerdict verdict) {
        public DataContaminationResult {
            Invalid.required("verdict", verdict);
        }
    }

    private static <T> List<T> filled(String field, List<T> list) {
        if (list == null || list.isEmpty()) {
            throw new Invalid(field + " must hold at least one element");
        }
        if (list.size() > MOST) {
            throw new Invalid(field + " must hold at most " + MOST + " elements");
        }
        return Invalid.list(field, list);
    }
}

package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;

/// A_test, subsampling_extract: copies out the block that subsamples the training data (Figure 26).
public record SubsamplingExtract(
        String finalSolution) implements CatalogueAgent.Coding<Reply.Subsampling> {
    public SubsamplingExtract {
        Invalid.text("final_solution", finalSolution);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("final_solution", finalSolution);
    }

    /// An answer without code says that nothing is subsampled (REQ-FN-008).
    @Override
    public Reply.Subsampling read(String answer) {
        return new Reply.Subsampling(CodeFences.code(answer));
    }
}

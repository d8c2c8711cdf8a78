package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;

/// A_coder: carries out one plan on one code block (Algorithm 2 lines 9 and 18; Figure 15).
public record Coder(String codeBlock, String plan) implements CatalogueAgent.OfBlock {
    public Coder {
        Invalid.text("code_block", codeBlock);
        Invalid.text("plan", plan);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "code_block", codeBlock,
                "plan", plan,
                "subsample_instruction", context.config().subsampleInstruction());
    }
}

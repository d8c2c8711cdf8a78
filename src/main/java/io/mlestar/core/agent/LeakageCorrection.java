package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;

/// A_leakage, correction: rewrites the block that leaks (Figure 21).
///
/// @param codeBlock as it stands in `code`
/// @param reason what leaks; empty if the detection did not say
public record LeakageCorrection(
        String code,
        String codeBlock,
        String reason) implements CatalogueAgent.OfBlock {
    public LeakageCorrection {
        Invalid.text("code", code);
        Invalid.text("code_block", codeBlock);
        reason = reason == null ? "" : reason;
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("code", code, "code_block", codeBlock, "reason",
                reason.isBlank() ? "The check gave no reason." : reason);
    }
}

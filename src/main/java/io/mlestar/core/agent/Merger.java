package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;

/// A_merger: integrates a reference script into the base script (Algorithm 1 line 9; Figure 11).
public record Merger(String baseCode, String referenceCode) implements CatalogueAgent.OfCode {
    public Merger {
        Invalid.text("base_code", baseCode);
        Invalid.text("reference_code", referenceCode);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "base_code", baseCode,
                "reference_code", referenceCode,
                "subsample_instruction", context.config().subsampleInstruction());
    }
}

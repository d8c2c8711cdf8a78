package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;

/// A_leakage, correction: rewrites the block that leaks (Figure 21).
public record LeakageCorrection(String code) implements CatalogueAgent.OfBlock {
    public LeakageCorrection {
        Invalid.text("code", code);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("code", code);
    }
}

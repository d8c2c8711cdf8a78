package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A_merger: integrates a reference script into the base script (Algorithm 1 line 9; Figure 11).
///
/// @param baseTrial how the base script fared; null if it is not known
/// @param referenceTrial how the reference script fared; null if it is not known
public record Merger(
        String baseCode,
        String referenceCode,
        @Nullable Trial baseTrial,
        @Nullable Trial referenceTrial) implements CatalogueAgent.OfCode {
    public Merger {
        Invalid.text("base_code", baseCode);
        Invalid.text("reference_code", referenceCode);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "base_code", baseCode,
                "reference_code", referenceCode,
                "ran",
                Sections.ran("The base solution", baseTrial)
                        + Sections.ran("The reference solution", referenceTrial),
                "subsample_instruction", context.limits().subsampleInstruction());
    }
}

package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.List;
import java.util.Map;

/// A_coder, metric: writes the `metric.py` that computes the scores where the program does not know
/// the task's metric. No figure of the paper.
///
/// @param missing why the program cannot compute it
/// @param form the first lines of both frames
/// @param libraries that the file may use
public record MetricCoder(
        String missing,
        String form,
        List<String> libraries) implements CatalogueAgent.OfCode {
    /// The contract of a `metric.py`; `adapter.grade.MetricTrial` checks it as far as it can.
    static final String CONTRACT = Prompts.part("metric-contract");

    public MetricCoder {
        Invalid.text("missing", missing);
        Invalid.text("form", form);
        libraries = Invalid.optional(libraries);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("missing", missing, "form", form, "contract", CONTRACT, "libraries",
                Sections.installed(libraries));
    }
}

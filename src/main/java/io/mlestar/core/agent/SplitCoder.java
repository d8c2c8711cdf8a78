package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.List;
import java.util.Map;

/// A_coder, split: writes the `split.py` by which rows are hidden where no rule finds the form of
/// the data. No figure of the paper.
///
/// @param missing why the rules hide none
/// @param data lines of the data card
/// @param libraries that the script may use
public record SplitCoder(
        String missing,
        List<String> data,
        List<String> libraries) implements CatalogueAgent.OfCode {
    /// The contract of a `split.py`; `survey/split-check.py` checks it.
    static final String CONTRACT = Prompts.part("split-contract");

    public SplitCoder {
        Invalid.text("missing", missing);
        data = Invalid.optional(data);
        libraries = Invalid.optional(libraries);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("missing", missing,
                "data", data.isEmpty() ? "(nothing is known of them)" : String.join("\n", data),
                "contract", CONTRACT,
                "libraries", Sections.installed(libraries));
    }
}

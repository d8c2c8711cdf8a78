package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;
import java.util.Objects;

/// A_summarize: condenses the output of an ablation study (Algorithm 2 line 7; Figure 13).
public record Summarize(
        String ablationCode,
        String rawResult) implements CatalogueAgent<Reply.Summary> {
    public Summarize {
        Invalid.text("ablation_code", ablationCode);
        rawResult = Objects.requireNonNullElse(rawResult, "");
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("ablation_code", ablationCode, "raw_result", rawResult);
    }

    @Override
    public Reply.Summary read(String answer) {
        return new Reply.Summary(Reading.prose(answer));
    }
}

package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Answers.LeakageDetectionOutput;
import java.util.Map;

/// A_leakage, detection: does information of validation or test samples reach the training (Section
/// 3.4; Figure 20)?
public record Leakage(String code) implements CatalogueAgent<LeakageDetectionOutput> {
    public Leakage {
        Invalid.text("code", code);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("code", code);
    }

    @Override
    public LeakageDetectionOutput read(String answer) {
        return Reading.json(answer, LeakageDetectionOutput.class, "answers");
    }
}

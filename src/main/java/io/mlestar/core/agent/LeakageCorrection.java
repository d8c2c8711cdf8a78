package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Brief;
import io.mlestar.core.task.AgentType;
import java.util.Map;
import java.util.Optional;

/// A_leakage, correction: rewrites the block that leaks (Figure 21).
public record LeakageCorrection(String code) implements CodeWriter<Reply.Block> {
    public LeakageCorrection {
        Invalid.text("code", code);
    }

    @Override
    public AgentType type() {
        return AgentType.LEAKAGE;
    }

    @Override
    public Optional<String> variant() {
        return Optional.of("correction");
    }

    @Override
    public Map<String, String> variables(Brief brief) {
        return Map.of("code", code);
    }

    @Override
    public Reply.Block read(String answer) {
        return new Reply.Block(Reading.code(answer));
    }
}

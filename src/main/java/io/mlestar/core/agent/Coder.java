package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Brief;
import io.mlestar.core.task.AgentType;
import java.util.Map;
import java.util.Optional;

/// A_coder: carries out one plan on one code block (Algorithm 2 lines 9 and 18; Figure 15).
public record Coder(String codeBlock, String plan) implements CodeWriter<Reply.Block> {
    public Coder {
        Invalid.text("code_block", codeBlock);
        Invalid.text("plan", plan);
    }

    @Override
    public AgentType type() {
        return AgentType.CODER;
    }

    @Override
    public Optional<String> cachePrefix() {
        return Optional.of("code_block");
    }

    @Override
    public Map<String, String> variables(Brief brief) {
        return Map.of(
                "code_block", codeBlock,
                "plan", plan,
                "subsample_instruction", brief.config().subsampleInstruction());
    }

    @Override
    public Reply.Block read(String answer) {
        return new Reply.Block(Reading.code(answer));
    }
}

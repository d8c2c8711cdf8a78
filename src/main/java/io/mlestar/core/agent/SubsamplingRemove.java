package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Brief;
import io.mlestar.core.task.AgentType;
import java.util.Map;
import java.util.Optional;

/// A_test, subsampling_remove: rewrites the block so that all training samples are used (Figure 27).
public record SubsamplingRemove(String codeBlockWithSubsampling) implements CodeWriter<Reply.Block> {
    public SubsamplingRemove {
        Invalid.text("code_block_with_subsampling", codeBlockWithSubsampling);
    }

    @Override
    public AgentType type() {
        return AgentType.TEST;
    }

    @Override
    public Optional<String> variant() {
        return Optional.of("subsampling_remove");
    }

    @Override
    public Map<String, String> variables(Brief brief) {
        return Map.of("code_block_with_subsampling", codeBlockWithSubsampling);
    }

    @Override
    public Reply.Block read(String answer) {
        return new Reply.Block(Reading.code(answer));
    }
}

package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import java.util.Map;

/// A_test, subsampling_remove: rewrites the block so that all training samples are used (Figure
/// 27).
public record SubsamplingRemove(String codeBlockWithSubsampling) implements CatalogueAgent.OfBlock {
    public SubsamplingRemove {
        Invalid.text("code_block_with_subsampling", codeBlockWithSubsampling);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("code_block_with_subsampling", codeBlockWithSubsampling);
    }
}

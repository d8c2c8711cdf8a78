package io.mlestar.core.task;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The part of a script that one outer step refines: the paper's c_t (REQ-DM-012).
///
/// @param content text exactly as in the script; empty for a skipped step (REQ-P2O-034)
/// @param category null if unknown
/// @param outerStep the outer step t that extracted it, from 0; null if none did
public record CodeBlock(
        String content,
        @Nullable CodeBlockCategory category,
        @Nullable Integer outerStep) {
    public CodeBlock {
        Objects.requireNonNull(content, "content");
    }
}

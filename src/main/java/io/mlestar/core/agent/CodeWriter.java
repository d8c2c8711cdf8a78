package io.mlestar.core.agent;

import io.mlestar.core.step.Agent;

/// An agent that answers with code. What was cut counts only if the cut came behind the code.
///
/// @param <R> what the answer means
interface CodeWriter<R> extends Agent<R> {
    @Override
    default boolean acceptsTruncated(String cut) {
        return CodeFences.areClosed(cut);
    }
}

package io.mlestar.adapter.tool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Counts how often tools have failed in a row, for each agent (REQ-OR-035).
public final class ToolFailures {
    private final Map<String, Integer> inARow = new ConcurrentHashMap<>();
    private final UseListener listener;

    /// Follows every use of a tool.
    @FunctionalInterface
    public interface UseListener {
        /// @param done false if it was refused or failed
        void used(String tool, boolean done);
    }

    public ToolFailures() {
        this((tool, done) -> {});
    }

    public ToolFailures(UseListener listener) {
        this.listener = listener;
    }

    /// Failures of this agent's tools since the last success.
    public int inARow(String agent) {
        return inARow.getOrDefault(agent, 0);
    }

    /// Counts one more.
    int count(String agent) {
        return inARow.merge(agent, 1, Integer::sum);
    }

    /// Says that a tool was used.
    void used(String tool, boolean done) {
        listener.used(tool, done);
    }

    /// Begins to count anew.
    void forget(String agent) {
        inARow.remove(agent);
    }
}

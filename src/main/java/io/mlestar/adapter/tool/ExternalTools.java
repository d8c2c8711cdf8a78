package io.mlestar.adapter.tool;

import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/// Tools that others carry out: those of the MCP servers that the configuration names (REQ-OR-010).
@FunctionalInterface
public interface ExternalTools {
    /// How their names begin.
    String PREFIX = "mcp__";

    /// Nobody else's tools.
    ExternalTools NONE = (config, agent, left) -> new Opened() {
        @Override
        public List<Tool> tools() {
            return List.of();
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    };

    /// Tools for one agent call; closed after it.
    interface Opened extends AutoCloseable {
        List<Tool> tools();

        @Override
        void close();
    }

    /// Opens what the agent may use. What cannot be opened is a warning in the log and is left out.
    ///
    /// @param left time that the agent call still has
    Opened open(PipelineConfig config, AgentType agent, Supplier<Duration> left);
}

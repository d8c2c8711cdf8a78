package io.mlestar.adapter.tool;

import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/// Tools that other programs provide: those of the MCP servers that the configuration names
/// (REQ-OR-010).
@FunctionalInterface
public interface ExternalTools {
    /// Their names begin with this.
    String PREFIX = "mcp__";
    ExternalTools NONE = (config, agent, left) -> new ConnectedTools(List.of(), () -> {});

    /// Tools for one agent call; closed after it.
    ///
    /// @param onClose closes the connections
    record ConnectedTools(List<Tool> tools, Runnable onClose) implements AutoCloseable {
        @Override
        public void close() {
            onClose.run();
        }
    }

    /// Opens what the agent may use. What cannot be opened is logged and left out.
    ///
    /// @param left time that the agent call still has
    ConnectedTools open(PipelineConfig config, AgentType agent, Supplier<Duration> left);
}

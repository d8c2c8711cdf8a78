package io.mlestar.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/// Logs tools that fail, and counts how often in a row for each agent (REQ-OR-035).
public final class ToolFailures {
    private static final Logger LOG = Logger.getLogger("mle_star.tool");

    private final Map<String, Integer> inARow = new ConcurrentHashMap<>();

    /// Failures of this agent's tools since the last success.
    public int inARow(String agent) {
        return inARow.getOrDefault(agent, 0);
    }

    /// Begins to count anew.
    void forget(String agent) {
        inARow.remove(agent);
    }

    /// The same tool, watched.
    public Tool watched(String agent, Tool tool) {
        return new Watched(agent, tool);
    }

    private final class Watched implements Tool {
        private final String agent;
        private final Tool tool;

        Watched(String agent, Tool tool) {
            this.agent = agent;
            this.tool = tool;
        }

        @Override
        public String name() {
            return tool.name();
        }

        @Override
        public String description() {
            return tool.description();
        }

        @Override
        public JsonNode parameters() {
            return tool.parameters();
        }

        @Override
        public String call(JsonNode arguments) {
            try {
                String result = tool.call(arguments);
                inARow.remove(agent);
                return result;
            } catch (RuntimeException e) {
                int failures = inARow.merge(agent, 1, Integer::sum);
                LOG.warnf("agent %s: tool %s failed, %d in a row: %s", agent, name(), failures, e.getMessage());
                throw e;
            }
        }
    }
}

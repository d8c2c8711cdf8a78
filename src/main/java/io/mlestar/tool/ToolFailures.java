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
        return new Around(tool, arguments -> counted(agent, tool, arguments));
    }

    private String counted(String agent, Tool tool, JsonNode arguments) {
        try {
            String result = tool.call(arguments);
            inARow.remove(agent);
            return result;
        } catch (RuntimeException e) {
            int failures = inARow.merge(agent, 1, Integer::sum);
            LOG.warnf("agent %s: tool %s failed, %d in a row: %s", agent, tool.name(), failures, e.getMessage());
            throw e;
        }
    }
}

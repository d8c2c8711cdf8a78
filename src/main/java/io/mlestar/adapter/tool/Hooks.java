package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// What happens around every use of a tool (REQ-OR-031 to REQ-OR-035), in one place. From the outside in: progress is logged, failures are
/// counted, arguments and permission are checked, the time is looked at; then the tool does its work, one at a time. Which commands
/// are refused (REQ-OR-033), [BlockedCommands] knows. What the calls of the model cost, its answer says, and the run's ledger adds up.
///
/// @param caller whose tools they are: the path of a step, or the name of an agent alone
/// @param agent name of the agent's step
/// @param left time that the agent call still has
/// @param lock held while a tool works, so that no command changes a path while another tool looks at it
record Hooks(String caller, String agent, ToolFailures failures, Permission permission, Supplier<Duration> left, ReentrantLock lock) {
    private static final Logger LOG = Logger.getLogger("mle_star.tool");

    Tool around(Tool tool) {
        return progress(errors(checked(permitted(inTime(tool)))));
    }

    /// Wraps a tool of an MCP server: the server checks the arguments itself, and may answer too much.
    Tool aroundForeign(Tool tool) {
        return progress(errors(permitted(inTime(clipped(tool)))));
    }

    /// REQ-OR-031: one line of JSON; the log adds the time of day.
    private Tool progress(Tool tool) {
        return new ToolWrapper(tool, arguments -> {
            Instant begin = Instant.now();
            boolean success = false;
            try {
                String result = tool.call(arguments);
                success = true;
                return result;
            } finally {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("event", "tool");
                line.put("step", caller);
                line.put("agent", agent);
                line.put("tool", tool.name());
                line.put("success", success);
                line.put("duration_seconds", Duration.between(begin, Instant.now()).toMillis() / 1000.0);
                LOG.info(Json.line(line));
                failures.used(tool.name(), success);
            }
        });
    }

    /// REQ-OR-035. Whatever goes wrong in a tool is told to the model, and never ends the call.
    private Tool errors(Tool tool) {
        return new ToolWrapper(tool, arguments -> {
            try {
                String result = tool.call(arguments);
                failures.forget(agent);
                return result;
            } catch (ToolRefused e) {
                LOG.warnf("agent %s: tool %s failed, %d in a row: %s", agent, tool.name(), failures.count(agent), e.getMessage());
                throw e;
            } catch (RuntimeException e) {
                LOG.warnf(e, "agent %s: tool %s failed, %d in a row", agent, tool.name(), failures.count(agent));
                throw new ToolRefused(tool.name() + " failed: " + e.getMessage());
            }
        });
    }

    private static Tool checked(Tool tool) {
        return new ToolWrapper(tool, arguments -> {
            tool.check(arguments);
            return tool.call(arguments);
        });
    }

    private static Tool clipped(Tool tool) {
        return new ToolWrapper(tool, arguments -> Truncation.end(tool.call(arguments)));
    }

    /// REQ-OR-009.
    private Tool permitted(Tool tool) {
        return new ToolWrapper(tool, arguments -> {
            permission.refusal(tool.name(), arguments).ifPresent(why -> {
                throw new ToolRefused(why);
            });
            return tool.call(arguments);
        });
    }

    /// REQ-OR-034: the call's end is never after the run's.
    private Tool inTime(Tool tool) {
        return new ToolWrapper(tool, arguments -> {
            lock.lock();
            try {
                if (!left.get().isPositive()) {
                    throw new ToolRefused("no time is left for tools; answer now");
                }
                return tool.call(arguments);
            } finally {
                lock.unlock();
            }
        });
    }
}

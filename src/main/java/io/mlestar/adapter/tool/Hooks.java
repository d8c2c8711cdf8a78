package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// Surrounds every use of a tool (REQ-OR-031 to REQ-OR-035): it is logged, failures are counted,
/// arguments, permission and time are checked, and then the tool works, one at a time.
/// [BlockedCommands] knows which commands are refused (REQ-OR-033).
///
/// @param caller path of the step, or the name of an agent alone
/// @param agent name of the agent's step
/// @param left time that the agent call still has
/// @param lock held while a tool works, so that no command changes a path while another tool looks
///   at it
record Hooks(
        String caller,
        String agent,
        ToolFailures failures,
        Permission permission,
        Supplier<Duration> left,
        ReentrantLock lock) {
    private static final Logger LOG = Logger.getLogger("mle_star.tool");

    Tool around(Tool tool) {
        record HookedTool(
                String name,
                String description,
                JsonNode parameters,
                Function<JsonNode, String> use) implements Tool {
            @Override
            public String call(JsonNode arguments) {
                return use.apply(arguments);
            }
        }
        return new HookedTool(tool.name(), tool.description(), tool.parameters(),
                arguments -> used(tool, arguments));
    }

    /// REQ-OR-035: any failure of a tool becomes an error for the model, and never ends the call.
    private String used(Tool tool, JsonNode arguments) {
        Instant begin = Instant.now();
        boolean success = false;
        try {
            String result = allowed(tool, arguments);
            success = true;
            failures.forget(agent);
            return result;
        } catch (ToolRefused e) {
            LOG.warnf("agent %s: tool %s failed, %d in a row: %s", agent, tool.name(),
                    failures.count(agent), e.getMessage());
            throw e;
        } catch (RuntimeException e) {
            LOG.warnf(e, "agent %s: tool %s failed, %d in a row", agent, tool.name(),
                    failures.count(agent));
            throw new ToolRefused(tool.name() + " failed: " + e.getMessage());
        } finally {
            log(tool, success, Duration.between(begin, Instant.now()));
            failures.used(tool.name(), success);
        }
    }

    /// REQ-OR-009 and REQ-OR-034: the call's end is never after the run's.
    private String allowed(Tool tool, JsonNode arguments) {
        tool.check(arguments);
        permission.refusal(tool.name(), arguments).ifPresent(why -> {
            throw new ToolRefused(why);
        });
        lock.lock();
        try {
            if (!left.get().isPositive()) {
                throw new ToolRefused("no time is left for tools; answer now");
            }
            return tool.call(arguments);
        } finally {
            lock.unlock();
        }
    }

    /// REQ-OR-031: one line of JSON; the log adds the time of day.
    private void log(Tool tool, boolean success, Duration duration) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "tool");
        line.put("step", caller);
        line.put("agent", agent);
        line.put("tool", tool.name());
        line.put("success", success);
        line.put("duration_seconds", duration.toMillis() / 1000.0);
        LOG.info(Json.line(line));
    }
}

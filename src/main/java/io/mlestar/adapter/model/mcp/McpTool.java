package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.adapter.tool.Truncation;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/// A tool of an MCP server.
///
/// @param name `mcp__<server>__<tool>`
/// @param tool its name at its server
/// @param left time that the agent call still has
record McpTool(String name, String description, JsonNode parameters, String tool, McpConnection connection, Supplier<Duration> left) implements Tool {
    private static final Logger LOG = Logger.getLogger("mle_star.mcp");
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /// A name that all providers accept.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final JsonNode NO_PARAMETERS = Json.object().put("type", "object").set("properties", Json.object());
    private static final int LONGEST_DESCRIPTION = 2_000;
    private static final int LONGEST_PARAMETERS = 20_000;

    /// Empty, with a warning, if models could not be shown the tool.
    ///
    /// @param described as `tools/list` gives it
    static Optional<McpTool> of(String server, JsonNode described, McpConnection connection, Supplier<Duration> left) {
        String tool = described.path("name").asText();
        String name = ExternalTools.PREFIX + server + "__" + tool;
        String description = described.path("description").asText(tool);
        JsonNode schema = described.path("inputSchema").isObject() ? described.get("inputSchema") : NO_PARAMETERS;
        try {
            JsonNode parameters = Json.parse(ToolSpecification.fromJson(Json.line(Map.of("name", tool, "parameters", schema))).toJson()).path("parameters");
            if (NAME.matcher(name).matches() && parameters.toString().length() <= LONGEST_PARAMETERS) {
                return Optional.of(new McpTool(name, Excerpt.clip(description, LONGEST_DESCRIPTION), parameters, tool,
                        connection, left));
            }
        } catch (RuntimeException e) {
            // A schema that LangChain4j cannot read cannot be sent to a model.
            LOG.debug("unreadable parameters", e);
        }
        LOG.warnf("a tool of MCP server %s is left out: its name or its parameters are too long or not allowed", server);
        return Optional.empty();
    }

    @Override
    public String call(JsonNode arguments) {
        if (!arguments.isObject()) {
            throw new ToolRefused("the arguments must be a JSON object");
        }
        Duration most = left.get().compareTo(LONGEST) < 0 ? left.get() : LONGEST;
        try {
            String result = McpServers.within(most, McpServers.started(() -> connection.call(tool, arguments)));
            return result.isEmpty() ? "[no output]" : Truncation.end(result);
        } catch (IOException e) {
            throw new ToolRefused(name + " failed: " + e.getMessage());
        }
    }
}

package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.mcp.client.McpClient;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.adapter.tool.Truncation;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/// A tool of an MCP server.
///
/// @param name `mcp__<server>__<tool>`
/// @param tool its name at its server
/// @param left time that the agent call still has
record McpTool(String name, String description, JsonNode parameters, String tool, McpClient client, Supplier<Duration> left) implements Tool {
    private static final Logger LOG = Logger.getLogger("mle_star.mcp");
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /// What all providers take.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final int LONGEST_DESCRIPTION = 2_000;
    private static final int LONGEST_PARAMETERS = 20_000;

    /// Empty, and a warning, if no model could be shown the tool.
    static Optional<McpTool> of(String server, ToolSpecification described, McpClient client, Supplier<Duration> left) {
        String name = ExternalTools.PREFIX + server + "__" + described.name();
        String description = Objects.requireNonNullElse(described.description(), described.name());
        JsonNode parameters = described.parameters() == null
                ? Json.object().put("type", "object").set("properties", Json.object())
                : Json.parse(described.toJson()).path("parameters");
        if (!NAME.matcher(name).matches() || parameters.toString().length() > LONGEST_PARAMETERS) {
            LOG.warnf("a tool of MCP server %s is left out: its name or its parameters are too long or not allowed", server);
            return Optional.empty();
        }
        return Optional.of(new McpTool(name, description.substring(0, Math.min(LONGEST_DESCRIPTION, description.length())), parameters,
                described.name(), client, left));
    }

    @Override
    public String call(JsonNode arguments) {
        if (!arguments.isObject()) {
            throw new ToolRefused("the arguments must be a JSON object");
        }
        ToolExecutionRequest request = ToolExecutionRequest.builder().name(tool).arguments(Json.line(arguments)).build();
        Duration most = left.get().compareTo(LONGEST) < 0 ? left.get() : LONGEST;
        try {
            String result = McpServers.within(most, McpServers.started(() -> client.executeTool(request).resultText()));
            return Truncation.end(Objects.requireNonNullElse(result, "[no output]"));
        } catch (IOException e) {
            throw new ToolRefused(name + " failed: " + e.getMessage());
        }
    }
}

package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.adapter.tool.Truncation;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// A tool of an MCP server.
///
/// @param name for models; see [McpToolNames]
/// @param tool its name at its server
/// @param left time that the agent call still has
record McpTool(
        String name,
        String description,
        JsonNode parameters,
        String tool,
        McpClient client,
        Supplier<Duration> left) implements Tool {
    private static final Logger LOG = Logger.getLogger("mle_star.mcp");
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int MOST_TOOLS = 64;
    private static final int LONGEST_DESCRIPTION = 2_000;
    private static final int LONGEST_PARAMETERS = 20_000;
    /// All that LangChain4j takes at the root of a schema; below the root it takes any keyword.
    private static final Set<String> KEYWORDS =
            Set.of("type", "description", "properties", "required", "additionalProperties",
                    "$defs");

    /// The tools of a server that models can be shown. A warning names each other one.
    static List<Tool> offered(String server, McpClient client, Supplier<Duration> left) {
        List<ToolSpecification> listed = client.listTools();
        Map<String, String> names =
                McpToolNames.of(server, listed.stream().map(ToolSpecification::name).toList());
        Map<String, Tool> tools = new LinkedHashMap<>();
        for (ToolSpecification one : listed) {
            try {
                Tool tool = of(Objects.requireNonNull(names.get(one.name())), one, client, left);
                if (tools.size() == MOST_TOOLS) {
                    throw new Invalid("an agent gets at most " + MOST_TOOLS + " tools of a server");
                }
                if (tools.putIfAbsent(tool.name(), tool) != null) {
                    throw new Invalid("another tool has its name");
                }
            } catch (RuntimeException e) {
                String reason = String.valueOf(e.getMessage());
                LOG.warnf("tool \"%s\" of MCP server %s is left out: %s",
                        McpServers.line(one.name()), server, McpServers.line(reason));
            }
        }
        return List.copyOf(tools.values());
    }

    private static Tool of(
            String name,
            ToolSpecification described,
            McpClient client,
            Supplier<Duration> left) {
        String tool = described.name();
        if (tool.isEmpty()) {
            throw new Invalid("it has no name");
        }
        JsonNode parameters =
                parameters(Json.tree(described.metadata().get(BoundedTransport.SCHEMA)));
        int length = parameters.toString().length();
        if (length > LONGEST_PARAMETERS) {
            throw new Invalid(
                    "the schema of its parameters has " + length + " characters, more than "
                            + LONGEST_PARAMETERS);
        }
        String description = described.description() == null ? tool : described.description();
        return new McpTool(name, Excerpt.clip(description, LONGEST_DESCRIPTION), parameters, tool,
                client, left);
    }

    /// @throws RuntimeException if it is no schema of an object
    private static JsonNode parameters(JsonNode schema) {
        ObjectNode root = (ObjectNode) Json
                .parse(Json.line(schema).replace("\"#/definitions/", "\"#/$defs/"));
        if (root.has("definitions")) {
            root.set("$defs", root.get("definitions"));
        }
        root.properties()
                .removeIf(keyword -> !KEYWORDS.contains(keyword.getKey())
                        || keyword.getValue().isNull());
        if (!root.path("additionalProperties").isBoolean()) {
            root.remove("additionalProperties");
        }
        root.put("type", "object");
        return Json.parse(
                ToolSpecification.fromJson(Json.line(Map.of("name", "any", "parameters", root)))
                        .toJson())
                .path("parameters");
    }

    /// The result of a tool, as text.
    static ToolExecutionResult result(JsonNode content, boolean isError) {
        StringJoiner texts = new StringJoiner("\n");
        for (JsonNode part : content) {
            String type = "[" + part.path("type").asText() + "]";
            texts.add(part.path("text").asText(part.at("/resource/text").asText(type)));
        }
        return ToolExecutionResult.builder().isError(isError).resultText(texts.toString()).build();
    }

    @Override
    public String call(JsonNode arguments) {
        if (!arguments.isObject()) {
            throw new ToolRefused("the arguments must be a JSON object");
        }
        Duration most = left.get().compareTo(LONGEST) < 0 ? left.get() : LONGEST;
        ToolExecutionRequest request =
                ToolExecutionRequest.builder().name(tool).arguments(Json.line(arguments)).build();
        try {
            String result = McpServers.within(most,
                    McpServers.started(() -> client.executeTool(request).resultText()));
            return result.isEmpty() ? "[no output]" : Truncation.end(result);
        } catch (IOException e) {
            throw new ToolRefused(name + " failed: " + e.getMessage());
        }
    }
}

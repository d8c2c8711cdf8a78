package io.mlestar.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.records.Records;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.tool.ListFilesTool;
import io.mlestar.tool.ParseScoreTool;
import io.mlestar.tool.Tool;
import io.mlestar.tool.ToolRefused;
import io.quarkiverse.mcp.server.ToolManager;
import io.quarkiverse.mcp.server.ToolResponse;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/// Offers the tools around a run over MCP, at `/mcp` (REQ-OR-010): which score a script's output will be read to hold, and which
/// files a run's data are made of. A caller names a run, never a folder, so that nothing is shown but the data of runs that are
/// in the store. A process that is for one function has no such page.
class McpEndpoint {
    private final Records records;
    private final ToolManager tools;

    McpEndpoint(Records records, ToolManager tools) {
        this.records = records;
        this.tools = tools;
    }

    void install(@Observes StartupEvent start) {
        Tool parseScore = new ParseScoreTool();
        offer(parseScore, parseScore.parameters(), arguments -> parseScore.call(arguments));
        Tool listFiles = new ListFilesTool(() -> Path.of(""));
        ObjectNode parameters = listFiles.parameters().deepCopy();
        parameters.withObject("/properties").putObject("run_id").put("type", "string").put("description", "id of a run in the store");
        parameters.withArray("/required").add("run_id");
        offer(listFiles, parameters, arguments -> new ListFilesTool(() -> data(arguments.path("run_id").asText())).call(Json.object()));
    }

    private void offer(Tool tool, JsonNode parameters, Function<JsonNode, String> call) {
        tools.newTool(tool.name()).setDescription(tool.description()).setInputSchema(Json.read(parameters, Map.class))
                .setHandler(given -> answer(parameters, Json.tree(given.args()), call)).register();
    }

    private static ToolResponse answer(JsonNode parameters, JsonNode arguments, Function<JsonNode, String> call) {
        try {
            for (JsonNode required : parameters.path("required")) {
                if (!arguments.path(required.asText()).isTextual()) {
                    throw new ToolRefused("the argument \"" + required.asText() + "\" must be of type string");
                }
            }
            return ToolResponse.success(call.apply(arguments));
        } catch (ToolRefused | Invalid e) {
            return ToolResponse.error(e.getMessage());
        }
    }

    private Path data(String run) {
        return Path.of(records.header(StepPath.root(run).run())
                .orElseThrow(() -> new ToolRefused("there is no run \"" + run + "\"")).task().dataDir());
    }
}

package io.mlestar.app.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.tool.ParseScoreTool;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.app.http.Envelope;
import io.mlestar.app.http.HttpError;
import io.mlestar.app.program.RunSupervisor;
import io.mlestar.app.start.Launch;
import io.mlestar.app.web.LiveRunCache;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Unavailable;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.DamagedRecord;
import io.quarkiverse.mcp.server.ToolManager.ToolAnnotations;
import io.quarkiverse.mcp.server.ToolManager;
import io.quarkiverse.mcp.server.ToolResponse;
import io.quarkus.runtime.StartupEvent;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import org.jboss.logging.Logger;

/// Offers tools over MCP, at `/mcp`: those around a run (REQ-OR-010), which say which score a script's output will be read to hold and which files a
/// run's data are made of; and the run itself. A caller names a run, never a folder, so that nothing is shown but what runs of the store have. A
/// process that is for one function has no such page. Whatever goes wrong is an answer of the tool: an assistant can mend what it did.
class McpEndpoint {
    private static final Logger LOG = Logger.getLogger("mle_star.http");

    private static final int BEFORE_THE_LIBRARY = -940;
    private static final int BEFORE_THE_ANSWER = -1001;

    private final ToolManager tools;

    McpEndpoint(ToolManager tools) {
        this.tools = tools;
    }

    void install(@Observes StartupEvent start, Records records, LiveRunCache cache, Launch launch, Engine engine, RunSupervisor supervisor) {
        read(new ParseScoreTool());
        read(new RunFilesTool(records));
        read(new ListRunsTool(cache));
        read(new RunStatusTool(records));
        read(new StepTool(records));
        offer(new StartRunTool(records, launch, header -> {
            supervisor.began(header.runId());
            engine.start(header);
        }), false, false, true);
        offer(new GradeTool(records), false, false, false);
        offer(new PauseTool(records), false, false, false);
        offer(new ResumeTool(records), false, false, true);
        offer(new CancelTool(records), false, true, false);
    }

    /// The library answers 500 to JSON that is no message, and trusts the types of a message's fields.
    void install(@Observes Router router) {
        router.post("/mcp").order(BEFORE_THE_LIBRARY).handler(context -> {
            JsonNode said = Envelope.json("the message", context.body().buffer());
            if (!said.isObject() && !(said.isArray() && !said.isEmpty() && said.valueStream().allMatch(JsonNode::isObject))) {
                throw new HttpError(400, "a message must be a JSON object");
            }
            context.next();
        });
        router.post("/mcp").order(BEFORE_THE_ANSWER).failureHandler(context -> {
            switch (context.failure()) {
                case Invalid _ -> context.next();
                case ClassCastException _,IllegalArgumentException _,IllegalStateException _,NullPointerException _ ->
                    context.fail(new HttpError(400, "the message is not as MCP has it"));
                case null, default -> context.next();
            }
        });
    }

    private void read(Tool tool) {
        offer(tool, true, false, false);
    }

    /// @param reads whether it changes nothing
    /// @param ends whether it ends something that cannot be begun again
    /// @param spends whether it reaches beyond this program: models are asked, and paid
    private void offer(Tool tool, boolean reads, boolean ends, boolean spends) {
        tools.newTool(tool.name()).setDescription(tool.description()).setInputSchema(Json.read(leaving(tool.parameters()), Map.class))
                .setAnnotations(new ToolAnnotations(tool.name(), reads, ends, true, spends))
                .setHandler(given -> answer(tool, Json.tree(given.args()))).register();
    }

    /// What may be null is to be left out instead: the server's library takes no null.
    private static JsonNode leaving(JsonNode parameters) {
        ObjectNode schema = parameters.deepCopy();
        ArrayNode required = Json.object().arrayNode();
        for (JsonNode name : schema.path("required")) {
            JsonNode field = schema.path("properties").path(name.asText());
            if (field.path("type").isArray()) {
                ((ObjectNode) field).set("type", field.path("type").get(0));
            } else {
                required.add(name);
            }
        }
        return schema.set("required", required);
    }

    private static ToolResponse answer(Tool tool, JsonNode arguments) {
        try {
            tool.check(arguments);
            return ToolResponse.success(Controls.shown(tool.call(arguments)));
        } catch (ToolRefused | Invalid | Unavailable | DamagedRecord e) {
            return ToolResponse.error(Controls.shown(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            LOG.error("unexpected failure of tool " + tool.name(), e);
            return ToolResponse.error("unexpected failure; the log says more");
        }
    }
}

package io.mlestar.app.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.JsonSchema;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.quarkiverse.mcp.server.InputSchemaGenerator;
import io.quarkiverse.mcp.server.ToolManager.ToolInfo;
import jakarta.inject.Singleton;
import java.util.Set;

/// Describes the arguments of `start_run`: the data of the event that asks for a run.
@Singleton
public class StartRunSchema implements InputSchemaGenerator<JsonNode> {
    private static final Set<String> DEFAULTED = Set.of("data_dir", "output_dir");
    private static final String SCHEMA =
            """
                    {"type": "object", "additionalProperties": false, "required": [], "properties": {
                      "config": {"type": "object"},
                      "model": {"type": "string", "description": "provider:name; the server's own if left out"},
                      "run_id": {"type": "string", "description": "a name of its own for the run"},
                      "fork": {"type": "object", "additionalProperties": false, "required": ["run"],
                        "description": "in place of a task: another run, whose finished steps this one shares", "properties": {
                          "run": {"type": "string"},
                          "at": {"type": "string", "description": "step at which the new run goes its own way"}}}}}""";

    @Override
    public JsonNode generate(ToolInfo tool) {
        ObjectNode schema = (ObjectNode) Json.parse(SCHEMA);
        ObjectNode task = JsonSchema.of(TaskDescription.class);
        ArrayNode required = Json.object().arrayNode();
        task.path("required")
                .valueStream()
                .filter(field -> !DEFAULTED.contains(field.asText()))
                .forEach(required::add);
        task.set("required", required);
        schema.withObject("/properties")
                .set("task", task.put("description",
                        "what is to be solved; data_dir is an absolute path on the server's machine, below its working folder or "
                                + "one that MLE_STAR_DATA names"));
        schema.withObject("/properties/config")
                .put("description",
                        "settings that differ from the defaults, e.g. {\"max_budget_usd\": 2, \"time_limit_seconds\": 3600}; known are "
                                + String.join(", ", (Iterable<String>) Json
                                        .tree(PipelineConfig.defaults())::fieldNames));
        return schema;
    }
}
